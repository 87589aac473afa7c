// The faults that are put into the product on purpose: each has to find its place in the sources as they are today, or it
// would be missed only by whoever runs it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rowsIn, startOf } from '../../scripts/mutation-table.mjs'
import { mutations } from './mutations.mjs'

const root = join(import.meta.dirname, '../..')

test.each(mutations)('$name changes one place of $file', ({ file, from, to }) => {
  const text = readFileSync(join(root, file), 'utf8')
  expect(text.split(from)).toHaveLength(2)
  expect(to).not.toBe(from)
})

test('each has a name of its own', () => {
  const names = mutations.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})

test('the table of docs/simulation.md tells of each fault as it is today, and of no other', () => {
  const { rows } = rowsIn(readFileSync(join(root, 'docs/simulation.md'), 'utf8'))
  expect([...rows.keys()].sort()).toEqual(mutations.map(({ name }) => name).sort())
  for (const one of mutations) expect(rows.get(one.name)).toContain(startOf(one))
})
