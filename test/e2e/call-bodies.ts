// Runs that get the body of the call that started them, whatever driver runs them.
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { LogRecord, RunBody } from '../../src/contract/contract.js'
import type { Host } from './host.js'

const manifest = (kind: string): string => `name: job
service_type: event
stop: {preservestopped: always}
${kind}
command: [sh, "-c", 'echo "$TRIGGER_WORD|$TRIGGER_LINES|$TRIGGER_BODY_TYPE"; sha1sum < "\${TRIGGER_BODY:-/dev/null}"; ls -ln "\${TRIGGER_BODY:-/dev/null}"']
triggers:
  words: {secret: secret-of-words, action: start, body: variables}
  whole: {secret: secret-of-whole, action: start, body: file}
`

/** What a call is answered. */
interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the answer as JSON, looked into by tests
  readonly body: any
}

/** Where a daemon of a host listens for calls. */
export const triggerListen = (host: Host): readonly string[] => [
  '--trigger-listen',
  `unix:${join(host.dir, 'trigger.sock')}`,
]

/** Calls a trigger of `job` by the socket, seen from here. */
export function callBySocket(
  socketPath: string,
  name: string,
  body: string | Uint8Array,
  type: string,
  id?: string,
): Promise<Answer> {
  const headers = {
    authorization: `Bearer secret-of-${name}`,
    'content-type': type,
    ...(id !== undefined && { 'idempotency-key': id }),
  }
  return new Promise((resolve, reject) => {
    const call = request(
      { socketPath, path: `/trigger/default/job/${name}`, method: 'POST', headers, agent: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

/** The runs of `job` once so many have ended, the oldest first. */
export async function endedRuns(host: Host, count: number): Promise<readonly RunBody[]> {
  for (;;) {
    const { stdout } = await host.done('service', 'runs', 'job', '--json')
    const runs = JSON.parse(stdout) as readonly RunBody[]
    if (runs.filter(({ endedAt }) => endedAt !== null).length === count) return runs.toReversed()
  }
}

/** Calls a service with variables and with a file; what its programs wrote says what they got. */
export async function bodiesArrive(host: Host, kind: string, socketPath: string): Promise<readonly string[]> {
  await host.startDaemon(...triggerListen(host))
  await host.done('service', 'deploy', host.file('job.yml', manifest(kind)))
  const words = JSON.stringify({ word: '"$HOME" %n \\ é', lines: 'one\ntwo' })
  expect(await callBySocket(socketPath, 'words', words, 'application/json')).toMatchObject({ status: 202 })
  const all = Uint8Array.from({ length: 256 }, (_, n) => n)
  expect(await callBySocket(socketPath, 'whole', all, 'image/x')).toMatchObject({ status: 202 })
  const sum = `${createHash('sha1').update(all).digest('hex')}  -`
  const runs = await endedRuns(host, 2)
  expect(runs.map(({ result }) => result)).toEqual(['exited with status 0', 'exited with status 0'])
  expect(runs.map(({ body }) => body)).toEqual([
    { as: 'variables', bytes: Buffer.byteLength(words), variables: ['TRIGGER_LINES', 'TRIGGER_WORD'] },
    { as: 'file', bytes: 256, variables: ['TRIGGER_BODY_TYPE'] },
  ])
  const lines = async (name: string): Promise<readonly string[]> => {
    const { stdout } = await host.done('service', 'logs', name, '--json')
    return (JSON.parse(stdout) as readonly LogRecord[]).map(({ line }) => line)
  }
  expect((await lines('job-1')).slice(0, 2)).toEqual(['"$HOME" %n \\ é|one', 'two|'])
  const [type, found, listed = ''] = await lines('job-2')
  expect([type, found]).toEqual(['||image/x', sum])
  const [mode = '', , user = '', , , , , , path = ''] = listed.split(/\s+/)
  return [mode, user, path]
}
