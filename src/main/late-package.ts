// Packages that few daemons use, in the bundle in so compact a form that it costs next to nothing until then: V8 keeps the text of
// what is loaded, and a file that is loaded late may be gone by then, or be that of another release.
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import { brotliDecompressSync } from 'node:zlib'

export type Exports = Readonly<Record<string, unknown>>

/**
 * What the package exports under these names, taken from it when it is first asked for. `text` is the package as one CommonJS module,
 * compressed by Brotli, in base64.
 */
export function latePackage(name: string, names: readonly string[], text: string): object {
  const parts: { text: string; exports?: Exports } = { text }
  const load = (): Exports => {
    parts.exports ??= evaluate(name, Buffer.from(parts.text, 'base64'))
    parts.text = ''
    return parts.exports
  }
  const getters = names.map((one) => [one, { enumerable: true, get: () => load()[one] }] as const)
  return Object.defineProperties({}, Object.fromEntries(getters))
}

/** What code exports that Brotli has compressed; it is given `shared` where it requires those names. */
export function evaluate(name: string, compressed: Buffer, shared: Exports = {}): Exports {
  const code = brotliDecompressSync(compressed).toString()
  const module = { exports: {} }
  const ofNode = createRequire(import.meta.url)
  const require = (path: string): unknown => shared[path] ?? ofNode(path)
  compileFunction(code, ['require', 'module', 'exports'], { filename: name })(require, module, module.exports)
  return module.exports
}
