// Bodies of trigger calls, with a real daemon and real programs.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bodiesArrive, callBySocket, endedRuns, triggerListen } from './call-bodies.js'
import { type Host, useHosts } from './host.js'

const openHost = useHosts()

const notes = (host: Host): readonly string[] =>
  readFileSync(join(host.dir, 'notes'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')

const json = 'application/json'

test('a run finds the body of its call as variables, or as a file that only its user can read', async () => {
  const host = openHost()
  const [mode, user, path] = await bodiesArrive(host, 'compute_type: process', join(host.dir, 'trigger.sock'))
  expect([mode, user]).toEqual(['-r--------', String(process.getuid?.())])
  expect(path).toMatch(/\/\.trigger-body$/)
}, 120_000)

test('each run has the body of its own call, also when it is tried again, and after a daemon that is killed', async () => {
  const host = openHost()
  const daemon = await host.startDaemon(...triggerListen(host))
  const file = host.file('notes', '')
  const socket = join(host.dir, 'trigger.sock')
  const program = [
    `echo "$TRIGGER_WORD" >> ${file}`,
    `until grep -q go ${file}; do sleep 0.1; done`,
    `grep -q "failed $TRIGGER_WORD" ${file} || { echo "failed $TRIGGER_WORD" >> ${file}; exit 1; }`,
  ].join('; ')
  const manifest = {
    ...{ name: 'job', compute_type: 'process', service_type: 'event', concurrency: 1, retries: 1 },
    command: ['sh', '-c', program],
    triggers: { words: { secret: 'secret-of-words', action: 'start', body: 'variables' } },
  }
  await host.done('service', 'deploy', host.file('job.yml', JSON.stringify(manifest)))
  for (const word of ['the-first-word', 'the-other-word'])
    expect(await callBySocket(socket, 'words', JSON.stringify({ word }), json)).toMatchObject({ status: 202 })
  await expect.poll(() => notes(host), { timeout: 20_000 }).toEqual(['the-first-word'])
  daemon.signal('SIGKILL')
  await daemon.ended
  await host.startDaemon(...triggerListen(host))
  host.file('notes', 'the-first-word\ngo\n')
  await endedRuns(host, 2)
  expect(notes(host)).toEqual([
    ...['the-first-word', 'go', 'failed the-first-word', 'the-first-word'],
    ...['the-other-word', 'failed the-other-word', 'the-other-word'],
  ])
  const { stdout } = await host.done('events', '--json')
  expect(stdout).not.toMatch(/the-(first|other)-word/)
  // Nor is it anywhere on the disk, where the programs have not written it.
  const found = execFileSync('sh', ['-c', `grep -rlaE "the-(first|other)-word" ${host.dir} || true`])
  expect(found.toString().trim().split('\n')).toEqual([file])
}, 120_000)

test('a body that cannot be handed on is refused with the reason, and nothing runs', async () => {
  const host = openHost()
  await host.startDaemon(...triggerListen(host))
  const text = `name: job
compute_type: process
service_type: event
command: [sleep, "1000"]
triggers:
  words: {secret: secret-of-words, action: start, body: variables}
  whole: {secret: secret-of-whole, action: start, body: file}
  deaf: {secret: secret-of-deaf, action: start}
`
  await host.done('service', 'deploy', host.file('job.yml', text))
  const call = (name: string, body: string, type = json, id?: string) =>
    callBySocket(join(host.dir, 'trigger.sock'), name, body, type, id)
  const told = async (...words: Parameters<typeof call>): Promise<readonly unknown[]> => {
    const { status, body } = await call(...words)
    return [status, body.error?.code, body.error?.message]
  }
  expect(await told('words', '{}', 'text/plain')).toEqual([415, 'trigger/bad-type', expect.any(String)])
  expect(await told('words', '{')).toEqual([
    400,
    'trigger/bad-body',
    'the body cannot be read: it is not JSON',
  ])
  expect(await told('words', '{"LD-PRELOAD":1}')).toEqual([
    422,
    'trigger/bad-body',
    expect.stringContaining('LD-PRELOAD'),
  ])
  expect(await told('whole', 'x'.repeat(65_537))).toEqual([413, 'trigger/too-large', expect.any(String)])
  const { stdout } = await host.done('service', 'runs', 'job', '--json')
  expect(JSON.parse(stdout)).toEqual([])
  const first = await call('whole', 'x'.repeat(65_536), 'text/plain', 'build 7')
  expect(first.status).toBe(202)
  expect(await call('whole', 'x'.repeat(65_536), 'text/plain', 'build 7')).toMatchObject({
    body: { repeated: true, task: first.body.task },
  })
  expect(await told('whole', 'y', 'text/plain', 'build 7')).toEqual([
    422,
    'trigger/other-body',
    expect.any(String),
  ])
  // Whoever hands none on does not look at it.
  expect((await call('deaf', '{', 'text/plain')).status).toBe(202)
}, 120_000)
