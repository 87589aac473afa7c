// Sizes of volumes that ext4 and xfs hold by quotas of projects, in a machine with a kernel that has these: that of the host may not.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { removeDir } from '../remove-dir.js'
import { runInVirtualMachine } from './virtual-machine.js'

const tools = ['find', 'chattr', 'lsattr', 'setquota', 'quota', 'mkfs.ext4', 'mkfs.xfs'].map(pathOf)

function pathOf(name: string): string {
  return name.startsWith('mkfs') || name === 'setquota' ? `/usr/sbin/${name}` : `/usr/bin/${name}`
}

const script = `truncate -s 200M /tmp/ext4; mkfs.ext4 -q -O project,quota -E quotatype=prjquota /tmp/ext4
truncate -s 400M /tmp/xfs; mkfs.xfs -q /tmp/xfs
for kind in ext4 xfs; do mkdir /$kind; mount -o loop,prjquota /tmp/$kind /$kind; done
node /held-volumes.mjs /ext4 /xfs`

test('a volume holds no more than its size, on ext4 as on xfs, whatever was in it and whatever takes its place', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-held-'))
  try {
    const outfile = join(dir, 'held-volumes.mjs')
    const entry = join(import.meta.dirname, 'held-volumes.ts')
    await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' })
    const printed = await runInVirtualMachine({
      programs: [process.execPath, ...tools],
      files: { '/held-volumes.mjs': outfile },
      modules: ['quota_tree', 'quota_v2', 'libcrc32c', 'xfs', 'loop'],
      script,
    })
    const outcome: unknown = JSON.parse(/OUTCOME (.*)/.exec(printed)?.[1] ?? expect.fail(printed))
    const held = {
      ...{ atFirst: 8, larger: 8, before: 5, replaced: 3, free: 20, ofOthers: 20 },
      said: [
        'the volume db.data.0 is held to 8 MiB by a quota',
        'the volume db.data.0 is held to 16 MiB by a quota',
        'the volume db.data.0 is held to 8 MiB by a quota',
        'the volume db.data.0 has no quota any more',
        "the size of the volume db.data.0 is not held by a quota: its directory belongs to the project 5 already, which is not Mariposa's",
      ],
    }
    expect(outcome).toEqual({
      '/ext4': held,
      '/xfs': held,
      bare: [
        'the size of the volume db.data.0 is not held by a quota: this machine has no lsattr: install the package e2fsprogs there',
      ],
    })
  } finally {
    removeDir(dir)
  }
})
