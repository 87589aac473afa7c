// How V8 keeps the daemon's heap.
import { setFlagsFromString } from 'node:v8'

/** Is said before the daemon's own code is loaded, of which V8 would otherwise keep room for far more than lives in it. */
export function keepHeapSmall(): void {
  // A daemon makes little garbage and lives long: a young generation that never grows costs it nothing and saves memory.
  setFlagsFromString('--semi-space-growth-factor=1')
  // Left alone V8 lets the old generation grow to several times what lives in it before it looks for garbage there.
  setFlagsFromString('--heap-growing-percent=30')
  // At rest V8 would collect again and again to win back some 20 MiB, for ten times the processor time of all else.
  setFlagsFromString('--no-memory-reducer')
}
