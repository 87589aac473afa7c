// Every command of services, projects, metadata, the queue and events, as the contract's table has them: what each ends
// with, what it prints, and what it prints as JSON. The same on one machine and on a cluster.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type {
  DeployedService,
  DnsInstanceBody,
  DnsLookupBody,
  EntryBody,
  EventBody,
  InstanceBody,
  MetaBody,
  PlanResponse,
  ProjectBody,
  ProjectDetails,
  ServiceBody,
  ServiceDetails,
  SimulationBody,
  TaskBody,
  VersionDetails,
  VersionOfService,
} from '../../src/contract/contract.js'
import type { Site } from './life.js'
import { startWalk, type Walk } from './walked.js'

/** A program that says who it is and then does nothing. */
function manifest(version: string, more = ''): string {
  return `compute_type: process
command: [/bin/sh, "-c", "echo $WHO says $VERSION; exec sleep 100000"]
environment: {WHO: "{{ .instance.name }}", VERSION: "${version}"}
memory: 16M
stop: {timeout: 1, preservestopped: "no"}
${more}`
}

/** One that never answers its checks: for nearly a minute nobody holds that against it. */
const slow = (version: string): string =>
  manifest(version, 'healthchecks: [{type: command, command: "false", poll: 10, timeout: 1, retries: 5}]\n')

/** One that ends badly as soon as it is started. */
const broken = (version: string): string =>
  manifest(version, 'restart: "no"\n').replace('exec sleep 100000', 'exit 3')

const instanceKeys =
  'name uuid service project version ordinal unit machine state health createdAt startedAt address ports'
const serviceKeys = 'name uuid project type scale running healthy version ordinal image status'
const versionKeys = 'uuid ordinal current createdAt sha1'
const metaKeys = 'key value casId'
const taskKeys = 'uuid scope task state target createdAt finishedAt error'

/** What a command that waits says where a busy host holds up the store, as it is to; the errors of commands are none of it. */
const silence =
  /^(no change makes progress: the daemon has been out of touch with its store since .*|it continues)\n/gm

/** The walks. Each has a project of its own, and leaves nothing behind. */
export function describeWalk(where: string, openSite: () => Promise<Site> | Site): void {
  const walking = (name: string, walk: (walk: Walk, site: Site) => Promise<void>): void => {
    test(name, async () => {
      const site = await openSite()
      const project = `walk-${name.split(' ')[1]}`
      await walk(startWalk(site, project), site)
      const ended = await site.run('project', 'delete', project, '--force')
      expect([ended.code, ended.stderr.replaceAll(silence, '')]).toEqual([0, ''])
    })
  }
  describe(`every command on ${where}`, { timeout: 400_000 }, () => {
    walking('of services', async (walk, site) => {
      await deployServices(walk, site)
      await lookAtServices(walk, site)
      await replaceInstances(walk, site)
      await revertServices(walk)
      await scaleServices(walk, site)
      await followServices(walk)
      await stopServices(walk)
      // Terminals of `exec` are walked in exec-terminal.ts, those of `run` in run-once.ts.
      const elsewhere = [
        ...['--json', '--user', '--interactive', '--tty'].map((one) => `service exec ${one}`),
        ...['--json', '--interactive', '--tty'].map((one) => `service run ${one}`),
      ]
      expect(walk.leftOut('service', elsewhere)).toEqual([])
    })
    walking('of projects', walkProjects)
    walking('of metadata', walkMeta)
    walking('of tasks', walkQueue)
    walking('of events', walkEvents)
    walking('of names', walkNames)
    walking('of images', walkImages)
    walking('of the entry', walkEntry)
    walking('of simulations', walkSimulate)
  })
}

/** Images of containers are fetched in test/machines/prefetch. */
async function walkImages(walk: Walk, site: Site): Promise<void> {
  const file = site.file('web.yml', manifest('1'))
  expect(await walk.done('image', 'prefetch', file)).toBe('no machine has an image to fetch for it\n')
  await walk.done('service', 'deploy', file)
  expect(await walk.json('images', 'prefetch', 'web', '--deadline', '1m')).toEqual([])
  expect(await walk.done('image', 'prefetch', 'web', '--quiet')).toBe('')
  expect((await walk.error(1, 'image', 'prefetch', 'nobody')).code).toBe('service/unknown')
  expect((await walk.error(2, 'image', 'prefetch', 'web', file)).code).toBe('cli/usage')
  expect(walk.leftOut('image')).toEqual([])
}

async function walkNames(walk: Walk, site: Site): Promise<void> {
  await walk.done('service', 'deploy', site.file('web.yml', manifest('1')))
  expect(await walk.done('dns', 'list')).toContain('web-1')
  const [web] = await walk.json<readonly DnsInstanceBody[]>('dns', 'ls', 'web')
  expect(web).toMatchObject({ name: 'web-1', service: 'web', listed: true, reason: '' })
  expect(await walk.done('dns', 'list', '--all-projects', '--quiet')).toContain('/web-1\n')
  expect((await walk.error(1, 'dns', 'list', 'nowhere')).code).toBe('service/unknown')
  const name = web?.names[0] ?? ''
  const found = await walk.json<DnsLookupBody>('dns', 'lookup', name, '--type', 'txt')
  expect(found).toMatchObject({ name, type: 'TXT', code: 'NOERROR', answers: [{ data: `"${web?.uuid}"` }] })
  expect(await walk.done('dns', 'lookup', name)).toContain(` A ${web?.privateAddress}\n`)
  expect(await walk.done('dns', 'lookup', `x-${name}`)).toContain('there is no such name (NXDOMAIN)')
  expect((await walk.error(2, 'dns', 'lookup', 'a b')).code).toBe('names/bad-question')
  await walkHostResolver(walk, found.endpoints)
  expect(walk.leftOut('dns')).toEqual([])
}

/** Nothing of this host is changed: that is done in test/machines/cluster/host-resolver. */
async function walkHostResolver(walk: Walk, endpoints: readonly string[]): Promise<void> {
  const print = ['dns', 'setup', '--print', '--suffix', 'cns.mariposa.internal']
  // Another daemon of this host may have the port.
  if (endpoints.length === 0) expect((await walk.error(1, ...print)).code).toBe('names/not-answered')
  else expect((await walk.json<{ text: string }>(...print)).text).toContain('cns.mariposa.internal')
  expect(await walk.json('dns', 'unset')).toMatchObject({ removed: false })
}

/** Nothing serves it here: what there is to serve is told all the same. */
async function walkEntry(walk: Walk, site: Site): Promise<void> {
  const entry = 'entry: {host: shop.example, path: /api}\n'
  await walk.done('service', 'deploy', site.file('web.yml', `${manifest('1')}ports: ["0:8080"]\n${entry}`))
  expect(await walk.done('entry', 'list')).toContain('shop.example')
  const [route] = await walk.json<readonly EntryBody[]>('entry', 'ls')
  expect(route).toMatchObject({ host: 'shop.example', path: '/api', service: 'web', tls: 'auto' })
  expect(route?.problem).toContain('no machine runs the entry')
  expect(route?.upstreams).toMatchObject([{ instance: 'web-1', state: 'serving', reason: '' }])
  expect(await walk.done('entry', 'list', '--all-projects', '--quiet')).toContain('shop.example/api\n')
  expect(walk.leftOut('entry')).toEqual([])
}

/** What a simulation foretells is what the daemon then does, and refuses. */
async function walkSimulate(walk: Walk, site: Site): Promise<void> {
  await walk.done('service', 'deploy', site.file('web.yml', manifest('1')))
  const [here] = await walk.json<readonly { id: string; hostname: string }[]>('machine', 'list')
  const asked = ['--hours', '2', '--start-time', '1s', '--stop-time', '1s']
  const told = await walk.json<SimulationBody>('simulate', '--scale', 'web=3', ...asked)
  expect(told).toMatchObject({ outcome: 'placed', asked: { scale: [{ service: 'web', from: 1, to: 3 }] } })
  expect((await names(walk)).toSorted()).toEqual(['web'])
  expect(told.services).toMatchObject([{ service: 'web', serving: { from: 1, to: 3 }, waiting: [] }])
  await walk.done('service', 'scale', 'web', '3')
  const instances = await walk.json<readonly InstanceBody[]>('service', 'instances', 'web')
  const started = told.services.flatMap(({ start }) => start)
  expect(started.map(({ name }) => name)).toEqual(
    instances.map(({ name }) => name).filter((one) => one !== 'web-1'),
  )
  const next = site.file('web.yml', manifest('2'))
  expect(await walk.done('simulate', '--deploy', next)).toMatch(
    // With several machines they may come to be on others.
    /^If web is deployed:\nweb: 3 of 3 (are replaced, on|move to) /,
  )
  const big = site.file('big.yml', manifest('1').replace('16M', '900G'))
  const refused = await walk.error(1, 'simulate', '--deploy', big)
  expect(refused).toEqual(await walk.error(1, 'service', 'deploy', big))
  expect(refused.code).toBe('deploy/no-machine')
  const machine = here?.id ?? ''
  expect(await walk.done('simulate', '--lose', machine, '--add', 'spare:memory=64G,cpus=4')).toContain(
    'spare',
  )
  expect(await walk.done('simulate', '--drain', machine, '--add', 'spare')).toContain('drained')
  expect((await walk.error(2, 'simulate', '--lose', machine, '--drain', machine)).code).toBe(
    'simulate/conflict',
  )
  expect((await walk.error(1, 'simulate', '--lose', 'nowhere')).code).toBe('machine/unknown')
  expect(await walk.fails(2, 'simulate')).toContain('no change to simulate is given')
  expect(await walk.fails(2, 'simulate', '--scale', 'web')).toContain('the number is missing')
  expect(await walk.fails(2, 'simulate', '--add', 'x:memory=lots')).toContain("'lots' is not a memory size")
  expect(walk.leftOut('simulate')).toEqual([])
}

async function deployServices(walk: Walk, site: Site): Promise<void> {
  const file = site.file('web.yml', manifest('1'))
  expect(await walk.done('service', 'deploy', file)).toContain('web: created, now version 1')
  const [again] = await walk.json<readonly DeployedService[]>('service', 'deploy', file, '--prefetch')
  expect(again).toMatchObject({ service: 'web', outcome: 'unchanged', ordinal: 1, task: null })
  expect(await ordinals(walk)).toEqual([1])
  const next = site.file('next.yml', `name: web\n${manifest('2')}`)
  const asked = [
    '--scale',
    '2',
    '--rolling',
    '1',
    '--previous',
    '1',
    '--deadline',
    '1m',
    '--auto-revert',
    '--wait-for-room',
    '--refresh',
  ]
  expect(await walk.done('service', 'deploy', next, '--plan', ...asked)).toContain('start web-3 (version 2)')
  const plan = await walk.json<PlanResponse>('services', 'plan', next, ...asked)
  expect(plan.services).toMatchObject([{ service: 'web', scale: { from: 1, to: 2 }, unplaced: [] }])
  expect(await ordinals(walk)).toEqual([1])
  const [done] = await walk.json<readonly (DeployedService & { differences: unknown })[]>(
    ...['svc', 'deploy', next, ...asked, '--expect', plan.id],
  )
  expect(done).toMatchObject({ outcome: 'updated', ordinal: 2, differences: [] })
  expect(await ordinals(walk)).toEqual([2, 2])
  expect((await walk.error(1, 'service', 'deploy', file, '--previous', '1')).code).toBe(
    'service/not-previous',
  )
  await addServices(walk, site)
}

/** Created alone, from standard input, from a directory, several as one change; all or none. */
async function addServices(walk: Walk, site: Site): Promise<void> {
  const file = site.file('db.yml', manifest('1'))
  expect(await walk.done('service', 'add', 'db', file, '--scale', '2', '--wait-for-room')).toContain(
    'db: created, now version 1',
  )
  expect((await walk.error(1, 'service', 'create', 'db', file)).code).toBe('service/exists')
  expect(await walk.fails(1, 'service', 'new', 'web', file)).toContain('there is a service web already')
  const [idle] = await walk.json<readonly DeployedService[]>('service', 'add', 'idle', file, '--scale', '0')
  expect(idle).toMatchObject({ outcome: 'created', instances: [] })
  const wrong = site.file('bad.yml', `${manifest('1')}no_such_key: 1\n`)
  const refused = await walk.error(2, 'service', 'deploy', site.file('x.yml', manifest('1')), wrong)
  expect(refused).toMatchObject({
    code: 'manifest/invalid',
    details: [{ line: 6, column: 1, message: expect.stringContaining('no_such_key') as string }],
  })
  const two = `name: idle\n${manifest('2')}---\nname: extra\n${manifest('1', 'service_type: event\n')}`
  const both = await walk.fed(two, 'svcs', 'deploy', '-')
  expect(both.split('\n').slice(0, 2)).toEqual([
    'idle: updated, now version 2',
    'extra: created, now version 1',
  ])
  expect((await names(walk)).toSorted()).toEqual(['db', 'extra', 'idle', 'web'])
}

async function lookAtServices(walk: Walk, site: Site): Promise<void> {
  const services = await walk.json<readonly ServiceBody[]>('service', 'list')
  const everywhere = await walk.json<readonly ServiceBody[]>('service', 'list', '--all-projects')
  expect(everywhere).toEqual(
    expect.arrayContaining(services.map(({ name }) => expect.objectContaining({ name }))),
  )
  expect(await walk.done('service', 'ps', '--all-projects', '-q')).toContain('/web-3\n')
  const web = services.find(({ name }) => name === 'web')
  expect(Object.keys(web ?? {})).toEqual(expect.arrayContaining(serviceKeys.split(' ')))
  expect(web).toMatchObject({
    type: 'continuous',
    scale: 2,
    running: 2,
    healthy: 2,
    ordinal: 2,
    status: 'running',
  })
  expect(await walk.done('services', 'ls', '-H', '-o', 'name,scale')).toBe(
    'db     2\nextra  0\nidle   0\nweb    2\n',
  )
  expect(await walk.done('service', 'get', 'web')).toContain('web-3')
  expect(await walk.done('service', 'show', 'web', '--manifest')).toBe(`name: web\n${manifest('2')}`)
  const shown = await walk.json<ServiceDetails>('service', 'get', 'web')
  expect(shown.instances.map(({ name }) => name)).toEqual(['web-2', 'web-3'])
  const versions = await walk.json<readonly VersionOfService[]>('service', 'versions', 'web')
  expect(versions.map((one) => Object.keys(one).join(' '))).toEqual([versionKeys, versionKeys])
  expect(versions.map(({ ordinal, current }) => [ordinal, current])).toEqual([
    [2, true],
    [1, false],
  ])
  expect(await walk.done('service', 'version', 'web@1', '--manifest')).toBe(manifest('1'))
  const [newest, oldest] = versions
  const version = await walk.json<VersionDetails>('service', 'version', newest?.uuid.slice(0, 8) ?? '')
  expect(version).toMatchObject({ uuid: newest?.uuid, sha1: newest?.sha1, instances: 2 })
  expect(await walk.done('service', 'diff', oldest?.uuid ?? '', 'web@2')).toContain('+ name: web\n')
  expect(await walk.json('service', 'diff', 'web@1', 'web@2')).toMatchObject({ changed: true })
  const instances = await walk.json<readonly InstanceBody[]>('service', 'instances', 'web')
  for (const one of instances)
    expect(Object.keys(one)).toEqual(expect.arrayContaining(instanceKeys.split(' ')))
  expect(instances.map(({ address }) => address)).toEqual(instances.map(site.hostOf))
  expect(instances.map(({ state, ordinal }) => [state, ordinal])).toEqual(Array(2).fill(['running', 2]))
  expect(await walk.done('service', 'ps', '-q')).toBe('db-1\ndb-2\nweb-2\nweb-3\n')
  expect(await walk.done('service', 'explain', 'web-3')).toContain('web-3')
  expect(await walk.json('service', 'explain', 'web')).toMatchObject({ name: 'web' })
  expect(await walk.json('service', 'runs', 'web')).toEqual([])
  expect(await walk.done('service', 'runs', '--all-projects', '-q')).toBe('')
  expect((await walk.error(1, 'service', 'get', 'nobody')).code).toBe('service/unknown')
  expect(await walk.fails(2, 'service', 'list', '--no-such-option')).toContain('--no-such-option')
}

async function replaceInstances(walk: Walk, site: Site): Promise<void> {
  const file = site.file('web.yml', manifest('3'))
  const all = [
    '--canary',
    '1',
    '--previous',
    '2',
    '--rolling',
    '2',
    '--deadline',
    '1m',
    '--auto-revert',
    '--wait-for-room',
    '--refresh',
    '--prefetch',
  ]
  expect(await walk.done('service', 'update', 'web', file, ...all)).toContain('web: updated, now version 3')
  expect(await ordinals(walk)).toEqual([2, 3])
  expect((await walk.error(1, 'service', 'update', 'nobody', file)).code).toBe('service/unknown')
  const next = site.file('4.yml', `name: web\n${manifest('4')}`)
  expect((await walk.error(2, 'service', 'update', 'web', next, '--count', '9')).code).toBe(
    'service/bad-count',
  )
  for (const option of ['--rolling', '--count', '--canary']) {
    const bad = await walk.error(2, 'service', 'deploy', next, option, '9')
    expect(bad.code).toBe(option === '--rolling' ? 'service/bad-rolling' : 'service/bad-count')
    const { services } = await walk.json<PlanResponse>('service', 'plan', next, option, '1')
    expect(services[0]?.stop).toHaveLength(option === '--rolling' ? 2 : 1)
  }
  const rest = ['--version', '2', '--image', '/bin/sh', '--count', '1', '--previous', '3', '--deadline', '1m']
  const [task] = await walk.json<readonly TaskBody[]>('service', 'reprovision', 'web', ...rest)
  expect(task).toMatchObject({ task: 'reprovision', state: 'completed' })
  expect(await ordinals(walk)).toEqual([3, 3])
  const [first, second] = await walk.json<readonly InstanceBody[]>('service', 'instances', 'web')
  const [name = '', machine = ''] = [first?.name, first?.machine ?? undefined]
  await walk.done('service', 'restart', 'web', '--instance', name, '--machine', machine, '--canary', '1')
  const left = (await walk.json<readonly InstanceBody[]>('service', 'ps', 'web')).map((one) => one.name)
  expect([left.includes(name), left.includes(second?.name ?? '')]).toEqual([false, true])
  expect(await walk.done('service', 'reprovision', 'web', '--rolling', '2')).toContain(
    'reprovision completed, 2 of 2',
  )
  expect(await walk.fails(1, 'service', 'restart', 'web', '--instance', name)).toContain(
    'no running instance',
  )
}

async function revertServices(walk: Walk): Promise<void> {
  const refused = await walk.error(1, 'service', 'revert', 'web', '1', '--previous', '2')
  expect(refused.code).toBe('service/not-previous')
  expect(await ordinals(walk)).toEqual([3, 3])
  const options = ['--rolling', '2', '--previous', '3', '--canary', '1', '--deadline', '1m']
  const [task] = await walk.json<readonly TaskBody[]>('service', 'revert', 'web', '1', ...options)
  expect(task).toMatchObject({ task: 'revert', state: 'completed' })
  expect(await ordinals(walk)).toEqual([1, 3])
  expect(await walk.done('service', 'rollback', 'web', '2', '--count', '1')).toContain(
    'revert completed, 1 of 1',
  )
  await walk.done('service', 'set', 'web', '1', '--rolling', '2', '--timeout', '2m')
  expect(await ordinals(walk)).toEqual([1, 1])
  expect((await walk.error(1, 'service', 'set', 'web', '9')).code).toBe('service/unknown-version')
}

async function scaleServices(walk: Walk, site: Site): Promise<void> {
  expect(await walk.done('service', 'scale', 'web', '3', '--deadline', '1m')).toContain(
    'web: scale completed, 3 of 3',
  )
  await walk.done('service', 'scale', 'web', '-2', '--quiet')
  const tasks = await walk.json<readonly TaskBody[]>('service', 'scale', 'web=+1', 'db=1', 'idle=1')
  expect(tasks.map(({ scope, task, state }) => [scope.split('/')[1], task, state])).toEqual([
    ['web', 'scale', 'completed'],
    ['db', 'scale', 'completed'],
    ['idle', 'scale', 'completed'],
  ])
  expect(await walk.done('service', 'scale', 'idle', '0')).toContain('idle: scale completed')
  expect(await walk.done('service', 'ls', '-H', '-o', 'name,running')).toBe(
    'db     1\nextra  0\nidle   0\nweb    2\n',
  )
  expect((await walk.error(2, 'service', 'scale', 'web', '-3')).code).toBe('service/bad-scale')
  expect((await walk.error(1, 'service', 'scale', 'extra', '1')).code).toBe('service/not-continuous')
  expect(await walk.fails(2, 'service', 'scale', 'web', 'many')).toContain('many')
  const file = site.file('late.yml', slow('1'))
  expect(await walk.fails(3, 'service', 'deploy', file, '--timeout', '5s')).toContain(
    'the change stays in effect',
  )
  expect((await walk.done('service', 'rm', 'late', '--force', '--detach')).trim()).toMatch(/^[0-9a-f-]{36}$/)
}

async function followServices(walk: Walk): Promise<void> {
  const name = (await walk.json<readonly InstanceBody[]>('service', 'instances', 'web'))[0]?.name ?? ''
  expect(await walk.done('service', 'logs', name, '--tail', '1', '--since', '1h')).toBe(`${name} says 1\n`)
  expect(await walk.done('service', 'logs', name, '--tail', '1', '--timestamps')).toMatch(
    new RegExp(`^\\d{4}-.*Z ${name} says 1\\n$`),
  )
  const logs = await walk.json<readonly { instance: string; line: string }[]>('service', 'logs', 'web')
  expect(logs).toContainEqual(expect.objectContaining({ instance: name, line: `${name} says 1` }))
  const ended = await walk.json<readonly { instance: string }[]>('service', 'logs', 'web', '--previous')
  expect(ended.map(({ instance }) => instance)).not.toContain(name)
  const lines = walk.following('service', 'logs', 'web', '-f')
  await lines.saw(`${name} says 1`)
  const inside = ['/bin/sh', '-c', 'echo $WHO; exit 5']
  await walk.fails(5, 'service', 'exec', name, '--', ...inside)
  expect(await walk.done('service', 'exec', name, '--', '/bin/sh', '-c', 'echo $WHO')).toBe(`${name}\n`)
  expect(await walk.fails(2, 'service', 'exec', name, '--json', '--', 'true')).toContain('--json')
  const before = await ordinals(walk)
  const told = ['--', '/bin/sh', '-c', 'echo $MORE; exit 6']
  await walk.fails(6, 'service', 'run', 'web', '--rm', '--set', 'MORE=given', ...told)
  expect(await walk.fails(2, 'service', 'run', 'web', '--json', '--', 'true')).toContain('--json')
  await expect.poll(() => ordinals(walk)).toEqual(before)
  const events = walk.following('service', 'events', 'web', '-f', '--jsonl', '--kind', 'scale')
  await events.saw('scale of web is set')
  for (const running of [lines, events]) running.signal('SIGINT')
  expect([(await lines.ended).code, (await events.ended).code]).toEqual([130, 130])
  await tellEvents(walk, 'service', 'events', 'web')
}

async function stopServices(walk: Walk): Promise<void> {
  await walk.done('service', 'revert', 'web', '2', '--canary', '1')
  expect(await ordinals(walk)).toEqual([1, 2])
  expect(await walk.done('service', 'stop', 'web', '--version', '1')).toContain('web: stop completed')
  expect(await ordinals(walk)).toEqual([2])
  expect((await walk.error(1, 'service', 'start', 'web')).code).toBe('service/already-running')
  expect(await walk.json('service', 'stop', 'web', '--now')).toMatchObject([
    { task: 'stop', state: 'completed' },
  ])
  expect(await ordinals(walk)).toEqual([])
  await walk.done('service', 'start', 'web', '--version', '1', '--deadline', '1m')
  expect(await ordinals(walk)).toEqual([1])
  for (const times of [1, 2]) {
    await walk.done('service', 'start', 'extra')
    expect(await ordinals(walk, 'extra')).toEqual(Array(times).fill(1))
  }
  expect(await walk.json('service', 'start', 'extra', '--set', 'SIZE=2')).toMatchObject([
    { task: 'start', state: 'completed' },
  ])
  expect(await walk.fails(1, 'service', 'delete', 'web')).toContain('web still has 1 running instance')
  expect(await walk.json('service', 'rm', 'idle')).toMatchObject([{ task: 'delete', state: 'completed' }])
  expect(await walk.done('service', 'delete', 'web', '--force', '--volumes', '--now')).toContain(
    'web: delete completed',
  )
  expect((await walk.error(1, 'service', 'versions', 'web')).code).toBe('service/unknown')
}

async function walkProjects(walk: Walk, site: Site): Promise<void> {
  const shop = (...services: readonly string[]): string =>
    [
      'name: walk-projects',
      'tags: {team: sales}',
      'defaults: {compute_type: process}',
      'services:',
      ...services,
    ].join('\n')
  const service = (name: string, mark: string): string =>
    `  ${name}: {command: [/bin/sleep, "10000${mark}"], memory: 16M, stop: {timeout: 1}}`
  const file = site.file('shop.yml', shop(service('web', '1'), service('old', '1')))
  expect(await walk.done('project', 'deploy', file)).toContain('old: created, now version 1')
  const next = site.file('next.yml', shop(service('web', '2')))
  const asked = [
    '--prune',
    '--rolling',
    '1',
    '--deadline',
    '1m',
    '--auto-revert',
    '--wait-for-room',
    '--refresh',
  ]
  expect(await walk.done('project', 'deploy', next, '--plan', ...asked)).toContain('old: is removed')
  const plan = await walk.json<PlanResponse>('projects', 'deploy', next, '--plan', ...asked)
  const done = await walk.json<readonly DeployedService[]>(
    'prj',
    'deploy',
    next,
    ...asked,
    '--expect',
    plan.id,
  )
  expect(done.map(({ service: name, outcome }) => [name, outcome])).toEqual([
    ['web', 'updated'],
    ['old', 'removed'],
  ])
  const listed = await walk.json<readonly ProjectBody[]>('project', 'list')
  const project = listed.find(({ name }) => name === 'walk-projects')
  expect(project).toMatchObject({ status: 'running', serviceCount: 1, scale: 1, tags: { team: 'sales' } })
  expect(await walk.done('project', 'ls', '-H', '-o', 'name,status')).toMatch(/walk-projects +running\n/)
  expect(await walk.done('project', 'show')).toContain('Tags:    team=sales')
  expect(await walk.json<ProjectDetails>('project', 'get')).toMatchObject({
    services: [{ name: 'web' }],
    meta: 0,
  })
  expect(await walk.done('project', 'stop')).toContain('web: stop completed')
  expect(await walk.json('project', 'stop')).toEqual([])
  const [started] = await walk.json<readonly TaskBody[]>('project', 'start', '--detach')
  await walk.done('queue', 'watch', started?.uuid ?? '')
  expect(await walk.done('project', 'start', '--timeout', '1m')).toBe(
    'walk-projects: no service of it is stopped\n',
  )
  expect((await walk.error(1, 'project', 'delete')).code).toBe('project/still-running')
  expect(await walk.json('project', 'rm', '--force')).toMatchObject([{ task: 'delete', state: 'completed' }])
  expect((await walk.error(1, 'project', 'show')).code).toBe('project/unknown')
  await walk.done('meta', 'set', 'left', 'over')
  expect(walk.leftOut('project')).toEqual([])
}

async function walkMeta(walk: Walk, site: Site): Promise<void> {
  expect(await walk.done('meta', 'set', 'host', 'one')).toBe('host is set\n')
  const first = await walk.json<MetaBody>('meta', 'get', 'host')
  expect(Object.keys(first)).toEqual(expect.arrayContaining(metaKeys.split(' ')))
  const second = await walk.json<MetaBody>('meta', 'update', 'host', 'two', '--cas', first.casId)
  expect(second).toMatchObject({ key: 'host', value: 'two' })
  expect((await walk.error(1, 'meta', 'set', 'host', 'three', first.casId)).code).toBe('meta/cas-mismatch')
  for (const verb of ['add', 'create', 'new']) await walk.done('meta', verb, verb, verb)
  expect(await walk.done('metadata', 'show', 'host')).toBe('two\n')
  const counted = [
    await walk.done('meta', 'incr', 'builds'),
    await walk.done('meta', 'increment', 'builds', '9'),
    await walk.done('meta', 'decr', 'builds'),
    await walk.done('meta', 'decrement', 'builds', '2'),
  ]
  expect(counted).toEqual(['1\n', '10\n', '9\n', '7\n'])
  expect(await walk.json('meta', 'incr', 'builds')).toMatchObject({ value: '8' })
  expect(await walk.json('meta', 'decr', 'builds')).toMatchObject({ value: '7' })
  expect((await walk.error(1, 'meta', 'incr', 'host')).code).toBe('meta/not-a-number')
  const file = site.file('settings.yml', 'builds: 1\nzone: north\n')
  expect(await walk.json('meta', 'import', file)).toMatchObject({
    set: [{ key: 'zone' }],
    skipped: ['builds'],
  })
  expect(await walk.done('meta', 'import', file, '--force')).toBe('2 keys are imported\n')
  expect(await walk.fed('TOKEN=hush\n', 'meta', 'import', '--secret', '-')).toBe('1 key is imported\n')
  await walk.fed('hush too\n', 'meta', 'set', 'password', '--secret', '--file', '-')
  expect(await walk.done('meta', 'get', 'password')).toBe('(secret)\n')
  expect(await walk.done('meta', 'ls', '-H', '-o', 'key,value')).not.toContain('hush')
  expect(await walk.done('meta', 'rotate')).toMatch(
    /^key [0-9a-f]{16} is in use; 0 secrets are sealed anew\n$/,
  )
  expect((await walk.error(1, 'meta', 'rotate', '--lost')).code).toBe('secret/not-lost')
  expect((await walk.error(1, 'meta', 'rm', 'host', '--cas', first.casId)).code).toBe('meta/cas-mismatch')
  expect(await walk.json('meta', 'rm', 'host', second.casId)).toMatchObject({ key: 'host' })
  for (const [at, verb] of ['del', 'delete', 'remove'].entries())
    expect(await walk.done('meta', verb, ['add', 'create', 'new'][at] ?? '')).toContain('is removed')
  expect((await walk.error(1, 'meta', 'get', 'host')).code).toBe('meta/unknown')
  expect(await walk.done('meta', 'list', '--all-projects', '-q')).toContain('/zone\n')
  const left = await walk.json<readonly MetaBody[]>('meta', 'list')
  expect(left.map(({ key, value }) => [key, value])).toEqual([
    ['TOKEN', null],
    ['builds', '1'],
    ['password', null],
    ['zone', 'north'],
  ])
  expect(walk.leftOut('meta')).toEqual([])
}

async function walkQueue(walk: Walk, site: Site): Promise<void> {
  const detached = async (...words: readonly string[]): Promise<string> =>
    (await walk.done('service', ...words, '--detach')).trim()
  await walk.done('service', 'add', 'web', site.file('web.yml', manifest('1')), '--scale', '2')
  const deploying = await detached('update', 'web', site.file('slow.yml', slow('2')))
  expect(await walk.fails(3, 'queue', 'watch', deploying, '--timeout', '5s')).toContain('web')
  expect(await walk.done('queue', 'ls', '--open', '-q')).toBe(`${deploying}\n`)
  expect(await walk.done('queue', 'ls', '--open', '-q', '--all-projects')).toContain(
    `walk-tasks/${deploying}\n`,
  )
  const starting = await detached('start', 'web')
  const open = await walk.json<readonly TaskBody[]>('queue', 'list', '--open')
  expect(open.map(({ uuid, state }) => [uuid, state])).toEqual([
    [deploying, 'active'],
    [starting, 'queued'],
  ])
  expect(await walk.json('queue', 'stop', starting)).toMatchObject({ state: 'terminated' })
  expect(await walk.done('queues', 'terminate', deploying, '--freeze')).toContain('deploy terminated')
  expect((await walk.error(1, 'queue', 'stop', deploying)).code).toBe('task/over')
  expect((await walk.error(1, 'service', 'scale', 'web', '3')).code).toBe('service/frozen')
  expect(await walk.done('queue', 'unfreeze', '--service', 'web')).toBe('walk-tasks/web: unfrozen\n')
  expect((await walk.error(1, 'queue', 'unfreeze', '--service', 'web')).code).toBe('queue/not-frozen')
  expect(await walk.json('queue', 'freeze')).toMatchObject([{ task: 'freeze', scope: 'walk-tasks' }])
  expect(await walk.done('queue', 'freeze', '--service', 'web')).toContain('walk-tasks/web: frozen')
  await walk.done('queue', 'unfreeze', '--json')
  expect(await walk.done('queue', 'release', '--service', 'web')).toContain('lost instances are replaced now')
  expect(await walk.json('queue', 'release')).toEqual([])
  await walk.fails(1, 'service', 'update', 'web', site.file('broken.yml', broken('3')))
  const tasks = await walk.json<readonly TaskBody[]>('task', 'list')
  for (const one of tasks) expect(Object.keys(one)).toEqual(expect.arrayContaining(taskKeys.split(' ')))
  expect(tasks.map(({ task, state }) => `${task} ${state}`)).toEqual([
    ...['deploy completed', 'deploy terminated', 'start terminated', 'freeze completed'],
    ...['freeze completed', 'freeze completed', 'deploy failed'],
  ])
  expect(tasks.at(-1)?.error).toContain('exited with status 3')
  const [first] = tasks
  expect(await walk.json('tasks', 'watch', first?.uuid ?? '')).toMatchObject({ state: 'completed' })
  expect((await walk.error(1, 'queue', 'watch', join('no', 'task'))).code).toBe('task/unknown')
  expect(walk.leftOut('queue')).toEqual([])
}

async function walkEvents(walk: Walk, site: Site): Promise<void> {
  await walk.done('service', 'add', 'web', site.file('web.yml', manifest('1')))
  const live = walk.following('events', '-f', '--json', '--kind', 'scale,task-completed')
  await live.saw('deploy is done')
  await walk.done('service', 'scale', 'web', '2')
  await live.saw('scale is done')
  live.signal('SIGINT')
  const { code, stdout } = await live.ended
  const told = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as EventBody).kind)
  expect([code, told]).toEqual([130, ['task-completed', 'scale', 'task-completed']])
  const [placed] = await walk.json<readonly EventBody[]>('events', '--service', 'web-2', '--kind', 'placed')
  expect(placed).toMatchObject({ instance: 'web-2', data: { reason: expect.any(String) as string } })
  const machine = placed?.machine ?? ''
  const there = await walk.json<readonly EventBody[]>('events', '--machine', machine, '--kind', 'placed')
  expect(there.map((one) => one.machine)).toEqual(there.map(() => machine))
  expect(await walk.done('events', '--kind', 'scale', '-l')).toMatch(/BY +CLIENT/)
  await tellEvents(walk, 'events')
  expect(walk.leftOut('events')).toEqual([])
}

/** What `events` and `service events` have in common. */
async function tellEvents(walk: Walk, ...verb: readonly string[]): Promise<void> {
  const asked = [...verb, '--since', '1h', '--until', '0s', '--by', 'mariposa/', '--kind', 'deploy,scale']
  const told = await walk.json<readonly EventBody[]>(...asked)
  for (const { by, kind } of told) {
    expect(['deploy', 'scale']).toContain(kind)
    expect(by?.client).toMatch(/^mariposa\//)
  }
  expect(told.length).toBeGreaterThan(1)
  const last = told.at(-1)
  expect(await walk.done(...asked, '--jsonl', '--tail', '1')).toBe(`${JSON.stringify(last)}\n`)
  expect(await walk.done(...asked, '-q', '--tail', '1')).toBe(`${last?.id}\n`)
  expect(await walk.done(...asked, '-H', '-o', 'kind', '--tail', '1')).toBe(`${last?.kind}\n`)
  expect((await walk.error(1, ...verb, '--machine', 'nowhere')).code).toBe('machine/unknown')
}

const names = async (walk: Walk): Promise<readonly string[]> =>
  (await walk.json<readonly ServiceBody[]>('service', 'list')).map(({ name }) => name)

/** The versions of the instances that run, sorted. */
async function ordinals(walk: Walk, service = 'web'): Promise<readonly number[]> {
  const instances = await walk.json<readonly InstanceBody[]>('service', 'instances', service)
  return instances
    .filter(({ state }) => state === 'running')
    .map(({ ordinal }) => ordinal)
    .toSorted()
}
