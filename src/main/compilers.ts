// When V8 compiles the daemon's code to that of the machine. What compilers touch of Node's own program, and what they and their
// threads leave behind, is a sixth of all that a daemon at rest holds, and it has no use for them: it runs as bytecode.
import { setFlagsFromString } from 'node:v8'
import type { Time } from '../lib/time.js'

/** Those that V8 has on by itself: Maglev was an experiment in the V8 of Node 22. */
const compilers = [
  'sparkplug',
  ...(Number.parseInt(process.versions.v8, 10) >= 13 ? ['maglev'] : []),
  'turbofan',
]
/** How often it is looked at how much work there was. */
const lookEveryMs = 2000
/** So much of a processor a daemon may take at rest. */
const restPart = 0.02
/** So much processor time beyond that is worth compiling what takes it. Less is a start with a few dozen units to run. */
const worthMs = 5000
/** A turn of the event loop may be long where there is so much to plan, and what is said to V8 counts after it. */
const manyUnits = 500

/** Is said before the daemon's own code is loaded. */
export function leaveUncompiled(): void {
  for (const name of compilers) setFlagsFromString(`--no-${name}`)
}

export interface Compilers {
  /** The daemon knows of so many units. */
  knows(units: number): void
  /** Ends the look at how much work there is. */
  stop(): void
}

/** Has V8 compile from when on that is worth it. `usedMs` is the processor time of this process until now. */
export function compileOnceWorthIt(clock: Pick<Time, 'after'>, usedMs: () => number): Compilers {
  let [last, beyondRest, compiles] = [0, 0, false]
  const compile = (): void => {
    compiles = true
    timer.cancel()
    // Whoever started Node may have forbidden that there be code of the machine, and WebAssembly with it.
    if ('WebAssembly' in globalThis) for (const name of compilers) setFlagsFromString(`--${name}`)
  }
  const look = (): void => {
    const used = usedMs()
    beyondRest = workBeyondRest(beyondRest, used - last)
    last = used
    if (beyondRest >= worthMs) compile()
    else timer = lookLater()
  }
  const lookLater = () => clock.after(lookEveryMs, look).unref()
  let timer = lookLater()
  return {
    knows: (units) => {
      if (units >= manyUnits && !compiles) compile()
    },
    stop: () => timer.cancel(),
  }
}

/** What there is of work beyond rest after another such look, in ms of processor time. */
export function workBeyondRest(before: number, usedMs: number): number {
  return Math.max(0, before + usedMs - restPart * lookEveryMs)
}
