// A machine whose disk is full, as its operator meets it: a small file system of its own for all that the daemon keeps.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { useProgram } from '../cli/program.js'
import { idleManifest, programsUnder, until } from '../e2e/cluster.js'
import { askedOver, hostsOf } from '../e2e/host.js'

let mounted: string | null = null
// Hooks run last first: the host ends while its disk is still there.
afterEach(() => {
  if (mounted === null) return
  // The supervisor may take a moment more to end.
  execFileSync('umount', ['--lazy', mounted])
  rmSync(mounted, { recursive: true })
  mounted = null
})
const openHost = hostsOf(useProgram(), () => ({
  driver: 'process',
  env: {},
  makeDir: () => {
    mounted = mkdtempSync(join(tmpdir(), 'full-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', mounted])
    const dir = mkdtempSync(join(mounted, 'host-'))
    return { inside: dir, outside: dir }
  },
}))

test('on a full disk changes are refused with the reason, what runs goes on, and all heals when there is room', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  const file = host.file('web.yml', idleManifest())
  await host.done('service', 'deploy', file, '--scale', '2')
  const programs = (): readonly string[] =>
    programsUnder(host.dataDir)
      .map(({ name, pid }) => `${name} ${pid}`)
      .sort()
  const before = programs()
  expect(before).toHaveLength(2)
  const ready = () => askedOver(host.socketPath, '/readyz')

  const ballast = join(host.dir, 'ballast')
  const fill = (): void => {
    const { bavail, bsize } = statfsSync(host.dir)
    writeFileSync(ballast, Buffer.alloc(bavail * bsize))
  }
  /** What a change needs may fit into the last page of the journal: until not even the smallest does. */
  const refuses = async (): Promise<void> => {
    for (const size of [8000, 1])
      await until(async () => {
        const { code, stderr } = await host.run('meta', 'set', 'long', 'x'.repeat(size))
        expect([code, stderr]).toEqual([1, expect.stringMatching(/no space left.*\n.*free some space/)])
      })
  }
  fill()
  await refuses()
  const refused = await host.run('service', 'scale', 'web', '3', '--json')
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('store/full')])
  expect(await ready()).toEqual({ status: 503, text: '{"status":"the store has no space left"}' })
  expect(programs()).toEqual(before)
  // What has happened since cannot be written down, so what is listed may be from before.
  const listed = await host.done('service', 'instances', 'web')
  expect(listed.stderr).toMatch(/^stale since \d{4}-\S+: the store of the daemon has no space left/)

  rmSync(ballast)
  await until(async () => expect(await ready()).toEqual({ status: 200, text: '{"status":"ok"}' }))
  expect((await host.done('service', 'instances', 'web')).stderr).toBe('')
  await host.done('service', 'scale', 'web', '3')
  expect(programs()).toEqual(expect.arrayContaining([...before]))
  const then = programs()
  expect(then).toHaveLength(3)

  // Nor does anything stop because the daemon dies on the full disk.
  fill()
  await refuses()
  daemon.signal('SIGKILL')
  await daemon.ended
  expect(programs()).toEqual(then)
  rmSync(ballast)
  await host.startDaemon()
  expect(programs()).toEqual(then)
  await host.done('service', 'scale', 'web', '2')
}, 240_000)
