// Modules of ours that few daemons use, each compressed in a file of its own. The file is opened as the daemon starts and read when
// something of it is first called: until then it costs no memory, and to replace or remove it does not matter.
import { closeSync, openSync, readFileSync } from 'node:fs'
import { type Exports, evaluate } from './late-package.js'

/** What the module exports. `file` is its text in CommonJS, compressed by Brotli; it is given `shared` where it requires those names. */
export function heldModule(name: string, file: URL, shared: Exports): () => Exports {
  const held = openSync(file, 'r')
  let exported: Exports | null = null
  return () => {
    exported ??= evaluate(name, contentsOf(name, held), shared)
    return exported
  }
}

function contentsOf(name: string, held: number): Buffer {
  const contents = readFileSync(held)
  if (contents.length === 0) throw new Error(`the file of ${name} was emptied: restart the daemon`)
  closeSync(held)
  return contents
}
