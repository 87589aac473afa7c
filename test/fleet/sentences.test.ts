// The table of what fleet's documentation says and where that is tested names tests that are there.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../docs/pages.js'

const rows = readFileSync(join(import.meta.dirname, 'sentences.md'), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, , file = '']) => file.startsWith('test/'))

test('each sentence of fleet that is listed has its test', () => {
  expect(rows.length).toBeGreaterThan(40)
  for (const [, sentence = '', file = '', name = ''] of rows) {
    expect(existsSync(join(root, file)), `${sentence}: ${file}`).toBe(true)
    if (name !== '') expect(readFileSync(join(root, file), 'utf8'), sentence).toContain(name)
  }
})
