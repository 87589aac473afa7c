import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeDir } from '../remove-dir.js'
import { type Run, useProgram } from './program.js'

const program = useProgram()

test.each([
  ['the help of the program', ['--help']],
  ['the help of a verb', ['service', 'deploy', '--help']],
  ['a version', ['--version']],
  ['a schema', ['manifest', 'schema', 'service']],
  ['an error', ['service', 'nosuchverb']],
])('a reader that has gone ends the command without a word: %s', async (_, args) => {
  const running = program.start(args)
  running.hangUp()
  running.hangUp('stderr')
  const { code, stderr } = await running.ended
  expect(stderr).toBe('')
  expect(code).not.toBeNull()
})

/** A shell that runs a program with one of its streams on a disk that is full. */
const full = (stream: 1 | 2): readonly string[] => ['sh', '-c', `"$@" ${stream}>/dev/full`, 'sh']

test.each([
  ['the help of the program', ['--help']],
  ['a schema', ['manifest', 'schema', 'service']],
])('a full disk is told as one, and the command has failed: %s', async (_, args) => {
  const { code, stderr } = await program.run(args, { enter: full(1) })
  expect(stderr).toMatch(/^mariposa: cannot write the output: ENOSPC[^\n]*\n$/)
  expect(code).toBe(1)
})

test('a daemon goes on though the disk of its log is full', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-full-'))
  const endpoint = `unix://${join(dir, 'm.sock')}`
  const daemon = program.start(
    ['daemon', '--data-dir', join(dir, 'data'), '--listen', endpoint, '--driver', 'process'],
    { enter: full(2) },
  )
  try {
    let told: Run
    do told = await program.run(['machine', 'list', '--json', '--endpoint', endpoint])
    while (told.code !== 0)
    expect(JSON.parse(told.stdout)).toHaveLength(1)
  } finally {
    daemon.signal('SIGTERM')
    expect((await daemon.ended).code).toBe(0)
    removeDir(dir)
  }
})
