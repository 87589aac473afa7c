// What commands read that is no file like any other: they are held up by none, and end when they are told to.
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeDir } from '../remove-dir.js'
import { useProgram } from './program.js'

const program = useProgram()
const dir = mkdtempSync(join(tmpdir(), 'mariposa-inputs-'))
const at = (name: string): string => join(dir, name)
const none = { env: { MARIPOSA_ENDPOINT: `unix://${at('no-daemon')}` } }

beforeAll(() => {
  execFileSync('mkfifo', [at('fifo')])
  for (const name of ['big.yml', 'big.service']) {
    writeFileSync(at(name), '')
    truncateSync(at(name), 2 ** 30)
  }
})
afterAll(() => removeDir(dir))

const readers: readonly (readonly [words: readonly string[], more: readonly string[]])[] = [
  [['service', 'deploy'], []],
  [['meta', 'set', 'key', '--file'], []],
  [['meta', 'import'], []],
  [['manifest', 'lint'], []],
  [['manifest', 'import'], []],
  [['simulate'], ['--lose', 'x']],
]

test.each(readers)('%j takes no more than it may of what has no end', async (words, more) => {
  const { code, stderr } = await program.run([...words, '/dev/zero', ...more], none)
  expect([code, stderr]).toEqual([2, expect.stringMatching(/larger than|longer than/)])
})

test.each(readers)('%j ends on Ctrl-C while nobody writes what it reads', async (words, more) => {
  const command = program.start([...words, at('fifo'), ...more], none)
  // It reads once it has the pipe open.
  for (let waits = true; waits; ) waits = !(await hasOpen(command.pid, at('fifo')))
  command.signal('SIGINT')
  expect((await command.ended).code).toBe(130)
})

test('a manifest may come from a pipe, however late and slowly it is written', async () => {
  const command = program.start(['manifest', 'lint', at('fifo')], none)
  const writer = openSync(at('fifo'), 'r+')
  writeFileSync(writer, 'compute_type: process\n')
  for (let waits = true; waits; ) waits = !(await hasOpen(command.pid, at('fifo')))
  writeFileSync(writer, 'command: [/bin/true]\n')
  closeSync(writer)
  expect(await command.ended).toMatchObject({ code: 0 })
})

test('a unit file that no request can hold is not read', async () => {
  const { code, stderr } = await program.run(['unit', 'submit', at('big.service')], none)
  expect([code, stderr]).toEqual([2, expect.stringContaining('1073741824 bytes, more than a request may')])
  const manifest = await program.run(['service', 'deploy', at('big.yml')], none)
  expect([manifest.code, manifest.stderr]).toEqual([2, expect.stringContaining('is larger than')])
})

/** Whether a process has a file open; looks a little later. */
async function hasOpen(pid: number, path: string): Promise<boolean> {
  await delay(10)
  const open = `/proc/${pid}/fd`
  return readdirSync(open).some((fd) => {
    try {
      return readlinkSync(join(open, fd)) === path
    } catch {
      // It is closed meanwhile.
      return false
    }
  })
}

test.each([[['daemon', '--data-dir', 'data']], [['daemon', '--data-dir', at('data')]]])(
  '%j in a directory that is gone says so',
  async (words) => {
    // The program is begun there by a shell, as nobody can go to where nothing is.
    const gone = ['sh', '-c', 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"', at('gone')]
    const { code, stderr } = await program.run(words, { enter: gone })
    expect(stderr).toContain('the working directory no longer exists')
    expect(stderr).not.toContain('bug')
    expect(code).toBe(1)
  },
)

test.each([[['service', 'deploy']], [['meta', 'import']], [['manifest', 'lint']]])(
  '%s says so if the name of a file is empty, as of a variable that is not set',
  async (words) => {
    const run = await program.run([...words, ''], none)
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toMatch(/<files?> is empty/)
  },
)
