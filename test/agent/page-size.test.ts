// The size of a page is what the system says, and not what it is on most machines.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { pageBytes, pageSizeIn } from '../../src/lib/io/page-size.js'

const vectorOf = (...numbers: readonly number[]): Buffer => {
  const vector = Buffer.alloc(numbers.length * 8)
  for (const [at, number] of numbers.entries()) vector.writeBigUInt64LE(BigInt(number), at * 8)
  return vector
}

test('the size of a page stands in what the kernel tells a process', () => {
  expect(pageSizeIn(vectorOf(33, 6, 6, 65_536, 0, 0), 'LE')).toBe(65_536)
  expect(pageSizeIn(vectorOf(33, 6, 0, 0), 'LE')).toBeNull()
  expect(pageSizeIn(Buffer.alloc(7))).toBeNull()
  expect(pageBytes()).toBe(Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' })))
})
