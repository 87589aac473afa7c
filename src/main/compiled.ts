// The command line as V8 compiled it when the program was built (scripts/compiled.mjs): a command that lasts a moment would
// spend most of that on having its code read anew.
import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'

type CommandLine = typeof import('./command-line.js')
type Part = (require: (name: string) => unknown, module: { exports: object }, exports: object) => void

/** Verbs and nouns whose code is not there in that form: it is the daemon's, or is seldom needed. */
const readAnew = new Set(['daemon', 'up', 'store', 'stores', 'simulate'])
/** Commands that read manifests have a form of their own, with what they need alone. */
const readManifests = /^manifests? (lint|render|compile)$/
/**
 * How long the code is for commands that read manifests, what V8 made of it, and a checksum of both; the same for the others.
 * Then these four come.
 */
const headBytes = 24

/** The compiled command line beside the program, where there is one of this very Node and it has what these words ask for. */
export function compiledCommandLine(
  dir: string,
  words: readonly string[],
  require: (name: string) => object,
): CommandLine | null {
  // No command is named but by its whole name, and a word more here takes no more than a little time.
  if (words.some((word) => readAnew.has(word))) return null
  const file = join(dir, `compiled-${process.version}-${process.arch}`)
  const found = contentsOf(file, readManifests.test(words.slice(0, 2).join(' ')))
  if (found === null) return null
  const script = new Script(found.code, { filename: 'mariposa', cachedData: found.made })
  // V8 takes nothing that another build of it made, or one that was told to work in another way.
  if (script.cachedDataRejected === true) return null
  const parts = script.runInThisContext() as Readonly<Record<string, Part>>
  return joinParts(parts, require)('./command-line.js') as CommandLine
}

/** Loads parts by their names, each once; what is none is Node's own. */
function joinParts(
  parts: Readonly<Record<string, Part>>,
  nodes: (name: string) => object,
): (name: string) => unknown {
  const loaded = new Map<Part, { exports: object }>()
  const partOf = (part: Part): object => {
    const before = loaded.get(part)
    if (before !== undefined) return before.exports
    const module = { exports: {} }
    loaded.set(part, module)
    part(load, module, module.exports)
    return module.exports
  }
  function load(name: string): object {
    const isOurs = name.startsWith('./')
    const part = parts[isOurs ? name.slice(2) : name]
    if (part === undefined) return whenUsed(() => nodes(name))
    return isOurs ? partOf(part) : whenUsed(() => partOf(part))
  }
  return load
}

/** A module of Node or a package is loaded when something of it is first used: most commands use few of those that they name. */
function whenUsed(load: () => object): object {
  return new Proxy(
    {},
    {
      get: (_, key) => Reflect.get(load(), key),
      has: (_, key) => Reflect.has(load(), key),
      ownKeys: () => Reflect.ownKeys(load()),
      getOwnPropertyDescriptor: (_, key) => {
        const found = Reflect.getOwnPropertyDescriptor(load(), key)
        return found && { ...found, configurable: true }
      },
    },
  )
}

interface Contents {
  readonly code: string
  readonly made: Buffer
}

/** null where there is no such file, or not all of it, or not as it was written. */
function contentsOf(file: string, forManifests: boolean): Contents | null {
  let fd: number | undefined
  try {
    fd = openSync(file, 'r')
    const head = read(fd, 0, headBytes)
    const [code = 0, made = 0, sum, ...others] = [0, 4, 8, 12, 16, 20].map((at) => head.readUInt32LE(at))
    if (forManifests) return partsOf(fd, { from: headBytes, code, made, sum })
    const [ofOthers = 0, madeOfOthers = 0, otherSum] = others
    return partsOf(fd, { from: headBytes + code + made, code: ofOthers, made: madeOfOthers, sum: otherSum })
  } catch {
    return null
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** Where the two lie, how long they are, and their checksum. */
interface Place {
  readonly from: number
  readonly code: number
  readonly made: number
  readonly sum: number | undefined
}

function partsOf(fd: number, place: Place): Contents {
  const code = read(fd, place.from, place.code)
  const made = read(fd, place.from + place.code, place.made)
  // V8 does not look, and goes down with what it did not make.
  if (crc32(made, crc32(code)) !== place.sum) throw new Error('the file was changed after it was written')
  // Its code is ASCII, which V8 keeps as it is.
  return { code: code.toString('latin1'), made }
}

/** Bytes at a place, in memory that begins at a whole word: V8 uses what it made where that lies. Throws for fewer. */
function read(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  if (readSync(fd, bytes, 0, length, from) < length) throw new Error('the file is truncated')
  return bytes
}
