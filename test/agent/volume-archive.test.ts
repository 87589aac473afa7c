// Archives of volumes, by the tar and zstd of this machine.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { unpack } from '../../src/agent/io/volume-archive.js'
import { replaceData } from '../../src/agent/io/volume-data.js'
import { filesHere } from '../../src/agent/io/volume-files.js'
import type { Policy, PolicyHere } from '../../src/model/policy.js'
import { removeDir } from '../remove-dir.js'

let dir = ''
const signal = new AbortController().signal
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mariposa-archive-'))
  mkdirSync(join(dir, 'data'))
  chmodSync(join(dir, 'data'), 0o750)
  writeFileSync(join(dir, 'data/kept'), 'kept')
})
afterEach(() => {
  vi.unstubAllEnvs()
  removeDir(dir)
})

const replaced = (archive: Buffer, policy: PolicyHere | null = null): Promise<void> =>
  replaceData(filesHere, join(dir, 'data'), (incoming) =>
    unpack(incoming, Readable.from([archive]), { compressed: true, signal, policy }),
  )
const compressed = (bytes: Buffer): Buffer => execFileSync('zstd', ['--quiet', '--stdout'], { input: bytes })
const tarOf = (...args: readonly string[]): Buffer =>
  compressed(execFileSync('tar', ['--create', '--file=-', ...args]))
const isAsBefore = (): void => {
  expect(readdirSync(dir)).toEqual(['data'])
  expect(readFileSync(join(dir, 'data/kept'), 'utf8')).toBe('kept')
}

it.each([
  ['nothing at all', () => Buffer.alloc(0)],
  ['nothing but zeroes', () => Buffer.alloc(10_240)],
])('does not take %s for a volume that is empty', async (_what, bytes) => {
  await expect(replaced(compressed(bytes()))).rejects.toMatchObject({ code: 'volume/bad-archive' })
  isAsBefore()
})

it('takes an archive of an empty directory for a volume that is empty', async () => {
  mkdirSync(join(dir, 'empty'))
  await replaced(tarOf(`--directory=${join(dir, 'empty')}`, '.'))
  expect(readdirSync(join(dir, 'data'))).toEqual([])
})

it('says why an archive with a name out of the directory is refused, and writes nothing there', async () => {
  writeFileSync(join(dir, 'file'), 'new')
  const outside = tarOf(`--directory=${dir}`, '--absolute-names', '--transform=s,^,../,', 'file')
  await expect(replaced(outside)).rejects.toThrow("Member name contains '..'")
  expect(readdirSync(dir)).toEqual(['data', 'file'])
  expect(readFileSync(join(dir, 'data/kept'), 'utf8')).toBe('kept')
})

it('leaves the directory to whoever had it where an archive has files alone', async () => {
  writeFileSync(join(dir, 'file'), 'new')
  const isRoot = process.geteuid?.() === 0
  if (isRoot) execFileSync('chown', ['1234:1235', join(dir, 'data')])
  const before = statSync(join(dir, 'data'))
  await replaced(tarOf(`--directory=${dir}`, 'file'))
  expect(readdirSync(join(dir, 'data'))).toEqual(['file'])
  const { uid, gid, mode } = statSync(join(dir, 'data'))
  expect({ uid, gid, mode }).toEqual({ uid: before.uid, gid: before.gid, mode: before.mode })
})

it('leaves all as it was where the disk does not take what was written', async () => {
  const bin = join(dir, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'sync'), '#!/bin/sh\necho "no space" >&2\nexit 1\n', { mode: 0o755 })
  writeFileSync(join(dir, 'file'), 'new')
  const archive = tarOf(`--directory=${dir}`, 'file')
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`)
  await expect(replaced(archive)).rejects.toMatchObject({ code: 'volume/failed' })
  expect(readFileSync(join(dir, 'data/kept'), 'utf8')).toBe('kept')
})

const policyOf = (more: Partial<Policy>): PolicyHere => ({
  asRoot: true,
  policy: {
    ...{ drivers: null, root: true, hostPaths: null, hostNetwork: true, images: null },
    ...{ capabilities: null, devices: null, ...more },
  },
})
const isRoot = process.geteuid?.() === 0

/** An archive of a directory that a script makes. */
function archiveOf(script: string): Buffer {
  const from = join(dir, 'from')
  mkdirSync(from)
  execFileSync('sh', ['-euc', script], { cwd: from })
  return tarOf('--xattrs', '--xattrs-include=*', `--directory=${from}`, '.')
}

describe.runIf(isRoot)('what gives more rights than the policy of a machine', () => {
  const program = 'cp /bin/true ./program'
  it.each([
    ['a device', 'mkdir deep; mknod deep/mem c 1 1', 'deep/mem in the archive is a device'],
    ['a block device', 'mknod disk b 8 0', 'disk in the archive is a device'],
    [
      'a set-user-id program of root',
      `${program}; chmod 4755 program`,
      'program in the archive runs as root',
    ],
    [
      'a set-group-id program of root',
      `${program}; chmod 2755 program`,
      'program in the archive runs as root',
    ],
    ['one that nobody may run yet', `${program}; chmod 4644 program`, 'program in the archive runs as root'],
    [
      'one with another name',
      `${program}; chmod 4755 program; ln program a`,
      'a in the archive runs as root',
    ],
    [
      'a program with capabilities',
      `${program}; setcap cap_setuid+ep program`,
      'program in the archive gives',
    ],
  ])('%s is refused, and the data are as they were', async (_what, script, says) => {
    const archive = archiveOf(script)
    await expect(replaced(archive, policyOf({ root: false }))).rejects.toMatchObject({
      code: 'policy/root',
      message: expect.stringContaining(says) as string,
    })
    expect(readdirSync(dir).sort()).toEqual(['data', 'from'])
    expect(readFileSync(join(dir, 'data/kept'), 'utf8')).toBe('kept')
    for (const policy of [null, policyOf({})]) await replaced(archive, policy)
  })

  it('what gives nobody more is let in: directories that hand their group on, programs of others, and marks of overlays', async () => {
    const script = `mkdir shared; chmod 2775 shared; ${program}; chown 1000:1000 program; chmod 6755 program
      mknod gone c 0 0; mkfifo pipe; : > "a
  x: 20 security.capability"; : > 'crw- 12:34 s'`
    await replaced(archiveOf(script), policyOf({ root: false, devices: [], capabilities: [] }))
    expect(statSync(join(dir, 'data/shared')).mode & 0o7777).toBe(0o2775)
    expect(statSync(join(dir, 'data/program')).mode & 0o7777).toBe(0o6755)
  })

  it.each([
    ['devices', 'mknod null c 1 3', { devices: ['/dev/fuse'] }, { devices: ['/dev'] }, 'policy/device'],
    [
      'capabilities',
      `${program}; setcap cap_net_raw+ep program`,
      { capabilities: ['CHOWN'] },
      { capabilities: ['ALL'] },
      'policy/capability',
    ],
  ] as const)('%s that it lists are no reason to let others in', async (_key, script, few, all, code) => {
    const archive = archiveOf(script)
    await expect(replaced(archive, policyOf(few))).rejects.toMatchObject({ code })
    await replaced(archive, policyOf(all))
  })

  it('nobody else reaches what comes in before it is known what it is', async () => {
    const seen: number[] = []
    await replaceData(filesHere, join(dir, 'data'), async (incoming) => {
      seen.push(statSync(join(incoming, '..')).mode & 0o777)
      await unpack(incoming, Readable.from([archiveOf('touch a')]), {
        compressed: true,
        signal,
        policy: null,
      })
    })
    expect(seen).toEqual([0o700])
  })
})
