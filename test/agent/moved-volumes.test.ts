// What moves have taken away from a machine is noted there, whatever the store says later.
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Driver, VolumeInUse } from '../../src/agent/driver.js'
import { MovedVolumes } from '../../src/agent/io/moved-volumes.js'
import type { NamedVolume } from '../../src/unit/volumes.js'
import { removeDir } from '../remove-dir.js'

const { signal } = new AbortController()
const of = { project: 'default', service: 'db', name: 'data', slot: 0, path: '/mnt', readonly: false }
const volume: NamedVolume = { ...of, perSlot: true, uuid: 'gone' }

function notes() {
  const kept: VolumeInUse[] = []
  const driver = { listVolumes: () => Promise.resolve(kept) } as Partial<Driver> as Driver
  const dir = join(mkdtempSync(join(tmpdir(), 'mariposa-moved-')), 'notes')
  onTestFinished(() => removeDir(join(dir, '..')))
  return {
    ...{ dir, moved: new MovedVolumes(dir, new Map([['process', driver]])) },
    keep: (uuid: string) => kept.splice(0, 1, { uuid } as VolumeInUse),
  }
}

test('a volume that was moved away is refused until its data are here, or its note is taken away', async () => {
  const { dir, moved, keep } = notes()
  await moved.refuse([volume], signal)
  await moved.note('gone', 'north', 1000)
  keep('other')
  await expect(moved.refuse([volume], signal)).rejects.toMatchObject({
    code: 'volume/moved-away',
    message: expect.stringMatching(/volume data of slot 0 were moved to north at 1970-/) as string,
  })
  await moved.refuse([{ ...volume, uuid: 'other' }], signal)
  keep('gone')
  await moved.refuse([volume], signal)
  keep('other')
  rmSync(join(dir, 'gone.json'))
  await moved.refuse([volume], signal)
})

test('a note that cannot be read says as much as one of an unknown machine', async () => {
  const { dir, moved } = notes()
  await moved.note('gone', 'north', 1000)
  writeFileSync(join(dir, 'gone.json'), '{"to')
  await expect(moved.refuse([volume], signal)).rejects.toThrow('were moved to another machine')
})

test('the oldest notes are forgotten', async () => {
  const { dir, moved } = notes()
  await moved.note('first', 'north', 1000)
  for (let n = 0; n < 999; n++) writeFileSync(join(dir, `${n}.json`), '{}')
  utimesSync(join(dir, 'first.json'), 1, 1)
  await moved.note('last', 'north', 2000)
  expect(readdirSync(dir)).toHaveLength(1000)
  expect(readdirSync(dir)).not.toContain('first.json')
  expect(readdirSync(dir)).toContain('last.json')
})
