// The life of a service as operators see it, the same on one machine and on a cluster.
import { describe, expect, test } from 'vitest'
import type {
  DeployedService,
  EventBody,
  InstanceBody,
  ServiceBody,
  TaskBody,
  VersionOfService,
} from '../../src/contract/contract.js'
import type { Run, RunningProgram } from '../cli/program.js'
import { followEvents } from './follow-events.js'
import { startLoad } from './load.js'

/** Where services live, and how operators reach it. */
export interface Site {
  /** The Node that programs of services run with. */
  readonly node: string
  /** The socket of a daemon that answers. */
  socket(): string
  run(...args: readonly string[]): Promise<Run>
  /** The same, with something on its standard input. */
  feed(stdin: string, ...args: readonly string[]): Promise<Run>
  start(...args: readonly string[]): RunningProgram
  /** Writes a file and returns its path. */
  file(name: string, text: string): string
  /** Where an instance is reached from here. */
  readonly hostOf: (instance: InstanceBody) => string
  /** Kills the program of an instance. */
  killProgram(instance: InstanceBody): Promise<void> | void
  /** Kills the daemon that leads; resolves when a daemon leads again. */
  killLeader(): Promise<void>
}

/** For how long the server below answers after SIGTERM. */
const servesOnMs = 2000

/** A server that says who it is, takes its time to end after SIGTERM, and is broken from the beginning where told so. */
export function serverManifest(node: string, version: string, broken = false): string {
  const source = [
    "const server = require('http').createServer((request, answer) => {",
    `  answer.statusCode = request.url === '/health' && ${String(broken)} ? 500 : 200`,
    "  answer.end(process.env.WHO + ' ' + process.env.VERSION)",
    '})',
    'server.listen(Number(process.env.PORT))',
    // Callers that have not heard yet that it is to stop are still answered.
    `process.on('SIGTERM', () => setTimeout(() => process.exit(0), ${servesOnMs}))`,
    "console.log('listening as ' + process.env.WHO)",
  ].join('; ')
  return `compute_type: process
command: [${JSON.stringify(node)}, "-e", ${JSON.stringify(source)}]
environment: {WHO: "{{ .instance.name }}", VERSION: "${version}"}
ports: ["0:8080"]
cns: {ttl: 1}
memory: 64M
healthchecks:
  - {type: http, port: 8080, path: /health, poll: 1, timeout: 1, retries: 5}
stop: {timeout: 10, preservestopped: "no"}
`
}

/** A program that does nothing; where told so, it ends badly as soon as it is started. */
export function idleManifest(version: string, broken = false): string {
  const command = broken ? '[/bin/sh, "-c", "exit 3"]' : '[/bin/sleep, "100000"]'
  return `compute_type: process
command: ${command}
environment: {WHO: "{{ .instance.name }}", VERSION: "${version}"}
memory: 16M
restart: "no"
stop: {timeout: 1, preservestopped: "no"}
`
}

/** The scenarios. Each has services of its own, and leaves none behind. */
export function describeLife(where: string, openSite: () => Promise<Site> | Site): void {
  describe(`the life of a service on ${where}`, { timeout: 200_000 }, () => {
    test('20 instances are updated five at a time while callers notice nothing', async () => {
      const site = await openSite()
      const { node } = site
      const update = async (version: string, ...more: readonly string[]): Promise<Run> =>
        done(site, 'service', 'deploy', site.file('web.yml', serverManifest(node, version)), ...more)
      await update('v1', '--scale', '20')
      const instances = () => instancesOf(site, 'web')
      const load = await startLoad({
        socket: site.socket(),
        service: 'web',
        callers: 4,
        servesOnMs,
        instances,
        hostOf: site.hostOf,
      })
      await update('v2', '--rolling', '5')
      const { answered, failed } = await load.stop()
      expect(failed).toEqual([])
      expect(answered).toBeGreaterThan(20)
      expect(await ordinalsOf(site, 'web')).toEqual(Array(20).fill(2))
      await remove(site, 'web')
    })

    test('goes by canary, then in full, then back', async () => {
      const site = await openSite()
      await done(site, 'service', 'add', 'can', site.file('can.yml', idleManifest('1')), '--scale', '4')
      await done(site, 'service', 'update', 'can', site.file('can.yml', idleManifest('2')), '--canary', '1')
      expect(await ordinalsOf(site, 'can')).toEqual([1, 1, 1, 2])
      await done(site, 'service', 'reprovision', 'can', '--version', '1', '--rolling', '3')
      expect(await ordinalsOf(site, 'can')).toEqual([2, 2, 2, 2])
      await done(site, 'service', 'revert', 'can', '1', '--rolling', '4')
      expect(await ordinalsOf(site, 'can')).toEqual([1, 1, 1, 1])
      await remove(site, 'can')
    })

    test('goes back by itself when the new version does not come up', async () => {
      const site = await openSite()
      await done(site, 'service', 'add', 'back', site.file('back.yml', idleManifest('1')), '--scale', '3')
      const before = await namesOf(site, 'back')
      const failed = await site.run(
        ...['service', 'deploy', site.file('back.yml', idleManifest('2', true)), '--auto-revert'],
      )
      expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('goes back to version 1')])
      await tasksOver(site, 'back')
      expect(await ordinalsOf(site, 'back')).toEqual([1, 1, 1])
      // Those that served all along are still the same.
      expect(await namesOf(site, 'back')).toEqual(before)
      await remove(site, 'back')
    })

    test('tells two operators who race one story', async () => {
      const site = await openSite()
      await done(site, 'service', 'add', 'race', site.file('race.yml', idleManifest('1')), '--scale', '4')
      const files = ['2', '3'].map((version) =>
        site.file(`race${version}.yml`, `name: race\n${idleManifest(version)}`),
      )
      const answers = await Promise.all(files.map((file) => site.run('service', 'deploy', file)))
      const ended = answers.map(({ code }) => code)
      // The later one is done. The earlier one was done before, or is told that it was overtaken.
      expect(ended).toContain(0)
      const overtaken = answers.filter(({ code }) => code !== 0)
      for (const { code, stderr } of overtaken) {
        expect([code, stderr]).toEqual([1, expect.stringContaining('a newer deploy took its place')])
      }
      const versions = await json<readonly VersionOfService[]>(site, 'service', 'versions', 'race')
      expect(versions.map(({ ordinal, current }) => [ordinal, current])).toEqual([
        [3, true],
        [2, false],
        [1, false],
      ])
      expect(await ordinalsOf(site, 'race')).toEqual([3, 3, 3, 3])
      const tasks = (await tasksOf(site, 'race')).slice(1).map(({ state }) => state)
      expect(tasks).toEqual([overtaken.length === 0 ? 'completed' : 'terminated', 'completed'])
      const scaled = await Promise.all(['+1', '+2'].map((by) => site.run('service', 'scale', 'race', by)))
      const taken = ['+1', '+2'].filter((_, index) => scaled[index]?.code === 0)
      const refused = scaled.filter(({ code }) => code !== 0)
      for (const { stderr } of refused) expect(stderr).toContain('a scale is active')
      const scale = taken.reduce((sum, by) => sum + Number(by), 4)
      expect(await ordinalsOf(site, 'race')).toEqual(Array(scale).fill(3))
      await remove(site, 'race')
    })

    test('goes on where it was when the leader is killed in the middle of a rollout', async () => {
      const site = await openSite()
      await done(site, 'service', 'add', 'lead', site.file('lead.yml', idleManifest('1')), '--scale', '6')
      const file = site.file('lead.yml', idleManifest('2'))
      const replaced = await awaitEvent(site, 'lead', ({ kind }) => kind === 'instance-removed')
      const [begun] = await json<readonly DeployedService[]>(site, 'service', 'deploy', file, '--detach')
      await replaced.seen
      await site.killLeader()
      await done(site, 'queue', 'watch', begun?.task ?? '')
      // As many new ones as were asked for: nothing was begun twice.
      expect(await namesOf(site, 'lead')).toEqual([7, 8, 9, 10, 11, 12].map((n) => `lead-${n}`))
      expect(await ordinalsOf(site, 'lead')).toEqual(Array(6).fill(2))
      const events = await historyOf(site, 'lead')
      const counts = (kind: string): number => events.filter((event) => event.kind === kind).length
      expect([counts('deploy'), counts('task-completed'), counts('instance-retired')]).toEqual([2, 2, 6])
      await remove(site, 'lead')
    })

    test('stands still during an incident, and catches up afterwards', async () => {
      const site = await openSite()
      await done(site, 'service', 'add', 'ice', site.file('ice.yml', idleManifest('1')), '--scale', '3')
      await done(site, 'queue', 'freeze', '--service', 'ice')
      const refused = await site.run('service', 'deploy', site.file('ice.yml', idleManifest('2')))
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('ice is frozen')])
      const [first] = await instancesOf(site, 'ice')
      const ended = await awaitEvent(site, 'ice', ({ kind }) => kind === 'instance-exited')
      if (first === undefined) throw new Error('no instance')
      // Nothing starts it again: that is what would be replaced.
      await site.killProgram(first)
      await ended.seen
      expect((await instancesOf(site, 'ice')).map(({ name }) => name)).toEqual(['ice-1', 'ice-2', 'ice-3'])
      const replaced = await awaitEvent(site, 'ice', ({ message }) => message === 'replace is done')
      await done(site, 'queue', 'unfreeze', '--service', 'ice')
      await replaced.seen
      expect(await namesOf(site, 'ice')).toEqual(['ice-2', 'ice-3', 'ice-4'])
      expect(await ordinalsOf(site, 'ice')).toEqual([1, 1, 1])
      await remove(site, 'ice')
    })
  })
}

/** Runs a command that has to succeed. */
export async function done(site: Site, ...args: readonly string[]): Promise<Run> {
  const ended = await site.run(...args)
  if (ended.code !== 0)
    throw new Error(`${args.join(' ')}: exit ${ended.code}\n${ended.stdout}\n${ended.stderr}`)
  return ended
}

export async function json<T>(site: Site, ...args: readonly string[]): Promise<T> {
  return JSON.parse((await done(site, ...args, '--json')).stdout) as T
}

export const instancesOf = (site: Site, service: string): Promise<readonly InstanceBody[]> =>
  json(site, 'service', 'instances', service)

/** The versions of the instances that run, sorted; fails where one does anything else. */
export async function ordinalsOf(site: Site, service: string): Promise<readonly number[]> {
  const instances = await instancesOf(site, service)
  const others = instances.filter(({ state }) => state !== 'running' && state !== 'stopping')
  if (others.length > 0) throw new Error(others.map(({ name, state }) => `${name} is ${state}`).join(', '))
  return instances
    .filter(({ state }) => state === 'running')
    .map(({ ordinal }) => ordinal)
    .sort()
}

async function namesOf(site: Site, service: string): Promise<readonly string[]> {
  return (await instancesOf(site, service)).filter(({ state }) => state === 'running').map(({ name }) => name)
}

async function tasksOf(site: Site, service: string): Promise<readonly TaskBody[]> {
  const tasks = await json<readonly TaskBody[]>(site, 'queue', 'list')
  return tasks.filter(({ scope }) => scope.endsWith(`/${service}`) || scope === service)
}

/** Waits until no task of a service is open. */
async function tasksOver(site: Site, service: string): Promise<void> {
  for (const task of await tasksOf(site, service)) {
    if (task.finishedAt === null) await site.run('queue', 'watch', task.uuid)
  }
}

async function historyOf(site: Site, service: string): Promise<readonly EventBody[]> {
  const { stdout } = await done(site, 'service', 'events', service, '--jsonl')
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as EventBody]))
}

export interface Listening {
  readonly seen: Promise<EventBody>
}

/** Listens for the first event from now on that is as wanted; resolves when it listens. */
export async function awaitEvent(
  site: Site,
  service: string,
  wanted: (event: EventBody) => boolean,
): Promise<Listening> {
  let found: (event: EventBody) => void = () => {}
  const seen = new Promise<EventBody>((resolve) => {
    found = resolve
  })
  const close = await followEvents(site.socket(), `tail=0&service=${service}`, (event) => {
    if (wanted(event)) found(event)
  })
  seen.then(close, close)
  return { seen }
}

/** Deletes a service with all that it runs. */
export async function remove(site: Site, service: string): Promise<void> {
  await done(site, 'service', 'delete', service, '--force')
  const left = await json<readonly ServiceBody[]>(site, 'service', 'list')
  expect(left.map(({ name }) => name)).not.toContain(service)
}
