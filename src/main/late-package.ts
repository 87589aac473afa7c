// Packages that few daemons use, in the bundle in so compact a form that it costs next to nothing until then: V8 keeps the text of
// what is loaded, and a file that is loaded late may be gone by then, or be that of another release.
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import { brotliDecompressSync } from 'node:zlib'

/**
 * What the package exports under these names, taken from it when it is first asked for. `text` is the package as one CommonJS module,
 * compressed by Brotli, in base64.
 */
export function latePackage(name: string, names: readonly string[], text: string): object {
  const parts: { text: string; exports?: Readonly<Record<string, unknown>> } = { text }
  const load = (): Readonly<Record<string, unknown>> => {
    parts.exports ??= evaluate(name, parts.text)
    parts.text = ''
    return parts.exports
  }
  const getters = names.map((one) => [one, { enumerable: true, get: () => load()[one] }] as const)
  return Object.defineProperties({}, Object.fromEntries(getters))
}

function evaluate(name: string, text: string): Readonly<Record<string, unknown>> {
  const code = brotliDecompressSync(Buffer.from(text, 'base64')).toString()
  const module = { exports: {} }
  const require = createRequire(import.meta.url)
  compileFunction(code, ['require', 'module', 'exports'], { filename: name })(require, module, module.exports)
  return module.exports
}
