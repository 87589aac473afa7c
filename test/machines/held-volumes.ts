// A program for a machine whose file systems have quotas of projects: has volumes on each held to sizes, and tells what then fits into
// them. `node held-volumes.mjs DIR…`, as root; the last line is its outcome as JSON.
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { VolumeQuotas } from '../../src/agent/io/volume-quotas.js'
import type { Log } from '../../src/lib/io/log.js'

/** Whoever writes is not root, whom ext4 holds to no quota. */
const user = 1000
const said: string[] = []
const note = (_part: string, message: string): void => void said.push(message)
const log: Log = { debug: () => {}, info: note, warn: note, error: note }
const quotas = new VolumeQuotas(log)

const hold = async (dir: string, sizeMb: number | null): Promise<void> =>
  await quotas.hold({ name: 'db.data.0', dir, sizeMb }, new AbortController().signal)

function made(dir: string): string {
  mkdirSync(dir)
  chownSync(dir, user, user)
  return dir
}

/** Writes so many MiB; returns how many there is room for. */
function room(dir: string, mib: number): number {
  const file = join(dir, `written-${mib}`)
  const args = ['if=/dev/zero', `of=${file}`, 'bs=1M', `count=${mib}`]
  const { stderr } = spawnSync('dd', args, { uid: user, gid: user, encoding: 'utf8' })
  if (!existsSync(file)) throw new Error(`${stderr}${said.join('; ')}`)
  return Math.round(statSync(file).size / 2 ** 20)
}

async function outcomeOn(mount: string): Promise<Record<string, unknown>> {
  said.length = 0
  const [dir, kept] = [made(join(mount, 'data')), made(join(mount, 'kept'))]
  await hold(dir, 8)
  await hold(dir, 8)
  const atFirst = room(dir, 20)
  await hold(dir, 16)
  const larger = room(dir, 21)
  // What is put in the place of the data, as a restore does, counts by itself, with what was in it before.
  const inside = made(join(kept, 'inside'))
  const before = room(inside, 5)
  renameSync(dir, join(mount, 'before'))
  renameSync(kept, dir)
  await hold(dir, 8)
  const replaced = room(join(dir, 'inside'), 20)
  await hold(dir, null)
  const free = room(dir, 20)
  const foreign = made(join(mount, 'foreign'))
  spawnSync('chattr', ['-p', '5', foreign])
  await hold(foreign, 8)
  const ofOthers = room(foreign, 20)
  return { atFirst, larger, before, replaced, free, ofOthers, said: [...said] }
}

const outcomes: Record<string, unknown> = {}
for (const mount of process.argv.slice(2)) outcomes[mount] = await outcomeOn(mount)
said.length = 0
process.env['PATH'] = '/bin'
await hold(made(join(process.argv[2] ?? '', 'bare')), 8)
console.log(`OUTCOME ${JSON.stringify({ ...outcomes, bare: said })}`)
