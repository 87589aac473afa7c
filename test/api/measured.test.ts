import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { measured } from '../../src/api/io/volume-archives.js'

const piece = Buffer.alloc(64 * 1024, 'abcdefgh')

async function* ready(pieces: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let n = 0; n < pieces; n += 1) yield piece
}

test('others have their turn while much lies ready to be read, and all of it is measured', async () => {
  let turns = 0
  let isOver = false
  const others = (): void => {
    turns += 1
    if (!isOver) setImmediate(others)
  }
  setImmediate(others)
  const told = measured(ready(160))
  const hash = createHash('sha256')
  for await (const bytes of told.stream) hash.update(bytes)
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(15)
  expect([told.bytes(), told.sha256()]).toEqual([160 * piece.length, hash.digest('hex')])
})
