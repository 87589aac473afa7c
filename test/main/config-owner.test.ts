// Whoever may change the configuration file says what the daemon does, with the rights that the daemon has.
import { chmodSync, chownSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { refuseChangeable } from '../../src/lib/io/private-file.js'
import { readDaemonOptions } from '../../src/main/options.js'
import { removeDir } from '../remove-dir.js'

const dir = mkdtempSync(join(tmpdir(), 'mariposa-config-'))
afterAll(() => removeDir(dir))

function config(text: string, mode: number, name = 'mariposa.yml'): string {
  const path = join(dir, name)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

const read = (path: string) =>
  readDaemonOptions({ config: path }, { root: true, home: '/root', env: {} }).options

const exposed = (message: string) =>
  expect.objectContaining({ code: 'daemon/exposed', exitCode: 2, message }) as Error

describe('a configuration file', () => {
  it('of our own may be read by all', () => {
    expect(read(config('metadata: {a: b}\n', 0o644)).metadata).toEqual({ a: 'b' })
  })

  it('that every user may write is refused, with the way out', () => {
    const path = config('metadata: {a: b}\n', 0o646)
    expect(() => read(path)).toThrow(
      expect.objectContaining({
        ...{ code: 'daemon/exposed', exitCode: 2, hint: `chmod o-w ${path}` },
        message: `everybody may write to ${path}, and so make this daemon run anything`,
      }) as Error,
    )
  })

  it.runIf(process.getuid?.() === 0)(
    'of another user, or of another group that may write, is refused',
    () => {
      const path = config('metadata: {a: b}\n', 0o644)
      chownSync(path, 4711, 0)
      expect(() => read(path)).toThrow(
        exposed(`${path} belongs to user 4711, who could make this daemon run anything`),
      )
      chownSync(path, 0, 4711)
      expect(read(path).metadata).toEqual({ a: 'b' })
      chmodSync(path, 0o664)
      expect(() => read(path)).toThrow(
        exposed(`the group ${4711} may write to ${path}, and so make this daemon run anything`),
      )
      chownSync(path, 0, 0)
      expect(read(path).metadata).toEqual({ a: 'b' })
    },
  )

  it('with a password in it is refused where all may read it', () => {
    const texts = [
      ['fleet.conf', 'etcd_servers=["http://a:1"]\netcd_username=me\netcd_password=pass\n'],
      ['fleet.conf', 'etcd_servers=["http://me:pass@a:1"]\n'],
      ['m.yml', 'store: etcd://a:1\netcd-user: me\netcd-password: pass\n'],
      ['m.yml', 'store: etcd://me:pass@a:1\n'],
    ] as const
    for (const [name, text] of texts) {
      const path = config(text, 0o644, name)
      expect(() => read(path)).toThrow(exposed(`${path} has a password, and others may read the file`))
      chmodSync(path, 0o640)
      expect(read(path).store).toMatchObject({ user: 'me', password: { text: 'pass' } })
    }
    const open = config('store: etcd://me@a:1\netcd-password-file: /elsewhere\n', 0o644)
    expect(read(open).store).toMatchObject({ password: { file: '/elsewhere' } })
  })
})

describe('who may change a file that a daemon goes by', () => {
  const judged = (uid: number, gid: number, mode: number) => () =>
    refuseChangeable('/c', { uid, gid, mode: 0o100000 | mode }, { user: 990, group: 991 })

  it('is its user and root, and the groups of these: with the umask 002 a file of our own is of our group', () => {
    for (const [uid, gid] of [
      [990, 991],
      [990, 0],
      [0, 0],
    ] as const)
      expect(judged(uid, gid, 0o664)).not.toThrow()
    expect(judged(990, 27, 0o664)).toThrow('the group 27 may write to /c')
    expect(judged(0, 991, 0o664)).toThrow('the group 991 may write to /c')
    expect(judged(990, 27, 0o644)).not.toThrow()
    expect(judged(1000, 0, 0o600)).toThrow('/c belongs to user 1000')
    expect(judged(0, 0, 0o602)).toThrow('everybody may write to /c')
  })
})
