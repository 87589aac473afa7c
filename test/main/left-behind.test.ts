// A machine that joins another store is told of the records that it would leave behind.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { steadyClock } from '../../src/lib/io/clock.js'
import { recordsLeft } from '../../src/main/left-behind.js'
import { openEmbeddedStore } from '../../src/store/io/embedded.js'
import { movedKey } from '../../src/store/migration.js'
import { removeDir } from '../remove-dir.js'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mariposa-left-'))
})
afterEach(() => removeDir(dir))

async function keep(...keys: readonly string[]): Promise<void> {
  const store = await openEmbeddedStore({ dir: join(dir, 'store'), clock: steadyClock })
  await store.txn(
    [],
    keys.map((key) => ({ op: 'put', key, value: '{}' })),
  )
  await store.close()
}

const joinOther = () => recordsLeft(join(dir, 'store'), 'etcd://10.0.0.1:2379')

test('records of services and meta are not left behind unsaid', async () => {
  await keep('cluster', 'services/default/web', 'meta/default/color')
  expect(await joinOther()).toMatchObject({
    code: 'store/left-behind',
    message: expect.stringContaining('2 records'),
    hint: expect.stringContaining('mariposa store migrate --to etcd://10.0.0.1:2379'),
  })
})

test.each([
  ['has no store of its own', []],
  ['has one in which nothing was ever made', ['cluster', 'machines/a', 'events/1']],
  ['has moved its records', ['cluster', 'services/default/web', movedKey]],
])('a machine that %s joins', async (_, keys) => {
  if (keys.length > 0) await keep(...keys)
  expect(await joinOther()).toBeNull()
})
