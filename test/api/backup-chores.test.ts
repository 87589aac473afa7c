// What of backups in a store is to go: when it is tried again, and by which machine.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BackupChores } from '../../src/api/io/backup-chores.js'
import type { ApiContext } from '../../src/api/io/context.js'
import { ToldOnce } from '../../src/api/io/told-once.js'
import { directoryPlace } from '../../src/backup/io/directory.js'
import { objectStorePlace } from '../../src/backup/io/object-store.js'
import type { BackupPlace } from '../../src/backup/io/place.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { BackupRecord, MadeBackup, RunningBackup } from '../../src/model/backup.js'
import type { MachineId } from '../../src/model/machine.js'
import type { VolumeRecord } from '../../src/model/volume.js'
import { openSecretBox } from '../../src/store/io/secret-box.js'
import { keyOf, putOf } from '../../src/store/records.js'
import { account, openS3Server, type S3Server } from '../s3/server.js'
import { idOf } from '../world/world.js'
import { openLocalApi } from './local-api.js'

const [here, gone] = [idOf('a'), idOf('b')]
const name = 'default.db.data.0.20260105T020000.000Z.00000000.tar.zst'
const object = `vault/db/${name}`
const bytes = Buffer.from('an archive')
const sha256 = '9c0c0ac6b4a2e9e4a0f1a7a1c3b1b0ce0c5de6a3a4a6cd3e1e6a1f2c8b9d7e55'

let server: S3Server
beforeEach(async () => {
  server = await openS3Server(['vault'])
  server.objects.set(object, bytes)
  server.objects.set(`${object}.sha256`, Buffer.from(`${sha256}  ${name}\n`))
})
afterEach(async () => await server.close())

const of = { project: 'default', service: 'db', name: 'data', slot: 0 }

function expiredOf(machine: MachineId): MadeBackup {
  return {
    ...{ dueAt: 1, startedAt: 1, endedAt: 2, machine, to: `s3://${object}`, consistency: 'live' },
    ...{ bytes: bytes.length, sha256, expired: true },
    store: { credentials: 's3', endpoint: server.url },
  }
}

/** A daemon with a record of one expired backup, and its volume on a machine. */
async function choresOf(made: MadeBackup | null, home: MachineId, left: readonly RunningBackup[] = []) {
  let now = 1_000_000
  const clock = { ...systemClock, now: () => now }
  const keyFile = join(mkdtempSync(join(tmpdir(), 'mariposa-backup-chores-')), 'key')
  const secrets = openSecretBox({ keyFile, inUse: () => false })
  const opened = await openLocalApi(clock, { secrets })
  const context: ApiContext = opened.context
  const lines = [
    `MARIPOSA_S3_ENDPOINT=${server.url}`,
    `AWS_REGION=${account.region}`,
    `AWS_ACCESS_KEY_ID=${account.accessKeyId}`,
    `AWS_SECRET_ACCESS_KEY=${account.secretAccessKey}`,
  ]
  const record: BackupRecord = {
    ...{ ...of, machine: null, state: null, due: null, running: null, failures: [] },
    made: made === null ? [] : [made],
    left,
  }
  const volume: VolumeRecord = {
    ...{ ...of, uuid: 'volume-1', generation: 0, machine: home, createdAt: 1 },
  }
  const value = secrets.seal(lines.join('\n'), 'default/s3')
  const meta = { project: 'default', key: 's3', value, casId: '1', secret: true, updatedAt: 1 }
  await context.registry.decide(() => ({
    decidedOn: [],
    ops: [putOf('backup', record), putOf('volume', volume), putOf('meta', meta)],
  }))
  const ends = new AbortController()
  const chores = new BackupChores(context, new ToldOnce(context.log, ends.signal), ends.signal)
  const current = (): BackupRecord =>
    context.registry.view.backupsOf('default/db').get(keyOf('backup', record)) ?? record
  return {
    passTime: (ms: number) => {
      now += ms
    },
    /** One look, and all that it has begun. */
    look: async () => {
      await chores.takeAway(current())
      await chores.settled()
    },
    made: () => current().made,
    left: () => current().left ?? [],
    close: async () => await opened.server.close(),
  }
}

test('what a store refuses to delete is asked for again after five minutes, and not before', async () => {
  const { look, made, passTime, close } = await choresOf(expiredOf(here), here)
  server.intercept = ({ method }) =>
    method === 'DELETE' ? { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' } : null
  await look()
  const asked = server.asked.length
  expect([asked > 0, made().length]).toEqual([true, 1])
  server.intercept = () => null
  passTime(5 * 60_000 - 1)
  await look()
  expect([server.asked.length, server.objects.has(object)]).toEqual([asked, true])
  passTime(1)
  await look()
  expect([[...server.objects.keys()], made()]).toEqual([[], []])
  await close()
})

test('a clock that is set back holds up nothing for longer than that', async () => {
  const { look, made, passTime, close } = await choresOf(expiredOf(here), here)
  server.intercept = ({ method }) => (method === 'DELETE' ? { status: 403 } : null)
  await look()
  server.intercept = () => null
  passTime(-3_600_000)
  await look()
  expect(made()).toEqual([])
  await close()
})

test('what a machine has made that is gone is deleted by the one where the volume is, and by no other', async () => {
  const elsewhere = await choresOf(expiredOf(gone), gone)
  await elsewhere.look()
  expect([server.asked, elsewhere.made().length]).toEqual([[], 1])
  await elsewhere.close()
  const home = await choresOf(expiredOf(gone), here)
  await home.look()
  expect([[...server.objects.keys()], home.made()]).toEqual([[], []])
  await home.close()
})

/** A backup that was made, and whose record still says that it is being made, as after a restore of the store. */
async function forgotten(place: BackupPlace, to: string): Promise<RunningBackup> {
  const running: RunningBackup = {
    ...{ id: 'backup-1', dueAt: 1, startedAt: 1, machine: here, to, consistency: 'live' },
    ...(to.startsWith('s3://') && { store: { credentials: 's3', endpoint: server.url } }),
  }
  const archive = {
    chunks: Readable.from([bytes]) as AsyncIterable<Uint8Array>,
    whole: () => Promise.resolve({ bytes: bytes.length, sha256: ownSum }),
  }
  await place.write(running, () => Promise.resolve(archive), new AbortController().signal)
  return running
}
const ownSum = createHash('sha256').update(bytes).digest('hex')

test('a backup that was finished is kept and listed, though the store has forgotten its end', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-backup-whole-'))
  const running = await forgotten(directoryPlace, join(dir, name))
  const { look, made, left, close } = await choresOf(null, here, [running])
  await look()
  const { id: _id, ...listed } = running
  expect(made()).toEqual([{ ...listed, endedAt: 1_000_000, bytes: bytes.length, sha256: ownSum }])
  expect([left(), readdirSync(dir)]).toEqual([[], [name, `${name}.sha256`]])
  await close()
})

test('so is one in an object store', async () => {
  server.objects.clear()
  const place = objectStorePlace({ ...account, sessionToken: null, endpoint: server.url }, systemClock)
  const running = await forgotten(place, `s3://${object}`)
  const { look, made, left, close } = await choresOf(null, here, [running])
  await look()
  expect([made().map(({ to }) => to), left()]).toEqual([[running.to], []])
  expect([...server.objects.keys()].sort()).toEqual([object, `${object}.sha256`])
  await close()
})

test('what has no checksum beside it was not finished, and goes', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-backup-part-'))
  const running = await forgotten(directoryPlace, join(dir, name))
  rmSync(join(dir, `${name}.sha256`))
  const { look, made, left, close } = await choresOf(null, here, [running])
  await look()
  expect([made(), left(), readdirSync(dir)]).toEqual([[], [], []])
  await close()
})
