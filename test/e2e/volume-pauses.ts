// What becomes of an instance that is paused while a backup of its volume is read, whatever driver runs it.
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import { until } from './cluster.js'
import type { Host } from './host.js'

/** Writes the number of each round, also by a program that it starts anew each time. */
const script =
  'trap "exit 0" TERM; n=0; while :; do n=$((n + 1)); echo $n > "$DIR/count"; sh -c "echo $n > \\"$DIR/started\\""; sleep 0.02; done'

/** A service that writes all the time, with a check that fails soon where nothing answers it. */
export const writing = (kind: string, scope = 'instance'): string => `${kind}
command: [/bin/sh, "-c", ${JSON.stringify(script)}]
environment: {DIR: "{{ .volume.data.path }}"}
volumes: [{name: data, path: /mnt/data, scope: ${scope}}]
healthchecks: [{type: command, command: [/bin/sh, -c, 'exit 0'], poll: 1s, timeout: 900ms, retries: 1}]
stop: {timeout: 60, preservestopped: "no"}
`

/** A program that is looked at by the files that it writes. */
export interface Written {
  count(): number
  /** Resolves once it is seen to write. */
  goesOn(): Promise<void>
  /** Throws where it writes within a while. */
  standsStill(): Promise<void>
}

export function writtenIn(dir: string): Written {
  const count = (): number => Number(readFileSync(join(dir, 'count'), 'utf8') || 0)
  return {
    count,
    goesOn: async () => {
      const before = count()
      await until(() => expect(count()).toBeGreaterThan(before))
    },
    standsStill: async () => {
      const look = (): string =>
        ['count', 'started'].map((name) => readFileSync(join(dir, name), 'utf8')).join()
      const before = look()
      // Twenty of its rounds: nothing else could be waited for.
      await new Promise((resolve) => setTimeout(resolve, 400))
      expect(look()).toBe(before)
    },
  }
}

/** More than fits into what lies between tar and who reads. */
export function fill(dir: string): void {
  writeFileSync(join(dir, 'much'), randomBytes(24 * 1024 * 1024))
}

/** Begins a backup of which nothing is read until `read` is called, which resolves to its trailers. */
export async function beginBackup(
  host: Host,
  query: string,
  volume = 'db.data.0',
): Promise<{ readonly read: () => Promise<IncomingMessage['trailers']>; readonly leave: () => void }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const path = `/v1/volumes/${volume}/backup?${query}`
    const asked = request(
      { socketPath: host.socketPath, path, method: 'POST', headers: { te: 'trailers' } },
      resolve,
    )
    asked.once('error', reject)
    asked.end()
  })
  expect(answer.statusCode).toBe(200)
  answer.on('error', () => {})
  return {
    read: async () => {
      for await (const _ of answer);
      return answer.trailers
    },
    leave: () => void answer.destroy(),
  }
}

export const failureOf = (trailers: IncomingMessage['trailers']): { code?: string; message?: string } =>
  JSON.parse(decodeURIComponent(trailers['x-mariposa-failure'] ?? '%7B%7D')) as {
    code?: string
    message?: string
  }

/** Backups with `--consistency paused`, one after another. `dirOf` tells where the data lie, as the test sees them. */
export async function pausesForBackups(
  host: Host,
  kind: string,
  dirOf: (service: string) => string | Promise<string>,
): Promise<void> {
  let daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('db.yml', writing(kind)))
  const dir = await dirOf('db')
  fill(dir)
  const program = writtenIn(dir)
  const [before] = await host.instances('db')
  const states = async () =>
    (await host.instances('db')).map(({ uuid, state, health }) => [uuid, state, health])
  const asBefore = [[before?.uuid, 'running', 'healthy']]
  const goesOn = async (): Promise<void> => {
    await program.goesOn()
    await until(async () => expect(await states()).toEqual(asBefore))
  }

  // As long as it is read, and whole.
  const first = await beginBackup(host, 'consistency=paused')
  await until(async () => expect(await states()).toEqual([[before?.uuid, 'paused', 'healthy']]))
  await program.standsStill()
  expect((await host.instances('db'))[0]?.reason).toContain('while a backup of its volume is read')
  // A second one at the same time has it stand still for longer.
  const second = await beginBackup(host, 'consistency=paused')
  expect(Object.keys(await first.read())).toContain('x-mariposa-sha256')
  await program.standsStill()
  expect(Object.keys(await second.read())).toContain('x-mariposa-sha256')
  await goesOn()

  // For no longer than is said.
  const late = await beginBackup(host, 'consistency=paused&pauseAtMost=1')
  await goesOn()
  expect(failureOf(await late.read())).toMatchObject({
    code: 'volume/pause-ended',
    message: expect.stringContaining('not read within 1 s') as string,
  })

  // Who goes away has it go on.
  const left = await beginBackup(host, 'consistency=paused')
  await program.standsStill()
  left.leave()
  await goesOn()

  // A daemon that is killed has the next one thaw it.
  const cut = await beginBackup(host, 'consistency=paused')
  await program.standsStill()
  daemon.signal('SIGKILL')
  await daemon.ended
  cut.leave()
  await program.standsStill()
  daemon = await host.startDaemon()
  await goesOn()

  // What is to stop stops at once, and the backup fails.
  const stopped = await beginBackup(host, 'consistency=paused')
  await program.standsStill()
  const from = performance.now()
  await host.done('service', 'stop', 'db')
  expect(performance.now() - from).toBeLessThan(30_000)
  expect(failureOf(await stopped.read())).toMatchObject({ code: 'volume/pause-ended' })
}
