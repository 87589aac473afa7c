import { brotliCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { latePackage } from '../../src/main/late-package.js'

interface Loaded {
  readonly path: unknown
  readonly times: unknown
}

const code =
  "let times = 0; exports.path = require('node:path'); Object.defineProperty(exports, 'times', { get: () => ++times })"

it('a late package is there in whole when something of it is first asked for, and once', () => {
  const late = latePackage('late', ['path', 'times'], packed(code)) as Loaded
  expect(late.path).toHaveProperty('join')
  expect([late.times, late.times]).toEqual([1, 2])
})

it('what a late package exports can be told without its being loaded', () => {
  const late = latePackage('late', ['a', 'b'], packed("throw new Error('loaded')"))
  // As a bundle makes its imports of what a CommonJS module exports.
  const names = Object.getOwnPropertyNames(late)
  expect(names.map((name) => Object.getOwnPropertyDescriptor(late, name)?.enumerable)).toEqual([true, true])
  expect(names).toEqual(['a', 'b'])
  expect(() => Reflect.get(late, 'a')).toThrow('loaded')
})

function packed(text: string): string {
  return brotliCompressSync(text).toString('base64')
}
