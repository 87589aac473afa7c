// Which entries serve a route, by their own word, and whom a deploy waits for.
import { expect, test } from 'vitest'
import { entryBodiesOf, leadsRequests } from '../../src/api/entry.js'
import { decideDeploy } from '../../src/changes/deploy.js'
import { isProblem } from '../../src/changes/problem.js'
import { unreadyEntries } from '../../src/cli/unready-entries.js'
import { keeperProtocol, keeperSocket } from '../../src/entry/keeper-protocol.js'
import { routesHash } from '../../src/entry/routes.js'
import type { EntryServes } from '../../src/model/entry.js'
import { putOf } from '../../src/store/records.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { idOf, project } from '../world/world.js'
import { EnteredWorld } from './entered.js'
import { answerAt, entryFolder, followEntry } from './followed.js'

const manifest = (entry: string): string => `compute_type: process
command: [/bin/web]
ports: ["0:8080"]
entry: ${entry}
`

/** The machines `a` and `b`, each with an entry, and a service that runs. */
function deployed(): EnteredWorld {
  const world = new EnteredWorld()
  for (const name of ['a', 'b']) {
    const machine = world.view.machines.get(world.machine(name))
    if (machine) world.apply([putOf('machine', { ...machine, entry: { http: ':80', https: ':443' } })])
  }
  world.deploy(manifest('[{host: shop.example, tls: off}]'))
  world.settle()
  return world
}

const says = (world: EnteredWorld, name: string, serves?: EntryServes): void =>
  world.apply([putOf('entryIdle', { machine: idOf(name), units: [], ...(serves && { serves }) })])

const servesAll = (world: EnteredWorld, without: readonly string[] = []): EntryServes => ({
  routes: routesHash(world.routes()),
  without,
})

const bodies = (world: EnteredWorld) =>
  entryBodiesOf({ view: world.view, names: world.names, now: world.now }, null, world.routes())

const unready = (world: EnteredWorld): readonly string[] => unreadyEntries(bodies(world), ['web'])

test('a deploy waits for each machine with an entry that does not serve the routes as they are now', () => {
  const world = deployed()
  const before = { routes: routesHash([]), without: [] }
  for (const name of ['a', 'b']) says(world, name, before)
  expect(unready(world)).toEqual(['shop.example/ is not served yet by the entry of a, b'])
  says(world, 'b', servesAll(world))
  expect(unready(world)).toEqual(['shop.example/ is not served yet by the entry of a'])
  says(world, 'a', servesAll(world, [world.routes()[0]?.group ?? '']))
  expect(unready(world)).toEqual(['shop.example/ is not served yet by the entry of a'])
  says(world, 'a', servesAll(world))
  expect(bodies(world)[0]?.machines.map(({ ready }) => ready)).toEqual([true, true])
  expect(unready(world)).toEqual([])
  world.deploy(manifest('[{host: shop.example, path: /api, tls: off}]'))
  world.settle()
  expect(unready(world)).toEqual(['shop.example/api is not served yet by the entry of a, b'])
  expect(unreadyEntries(bodies(world), ['other'])).toEqual([])
})

test('it waits for none whose daemon does not say what it serves, nor for a route without instances', () => {
  const world = deployed()
  says(world, 'a')
  expect(bodies(world)[0]?.machines.map(({ ready }) => ready)).toEqual([undefined, undefined])
  expect(unready(world)).toEqual([])
  for (const name of ['a', 'b']) says(world, name, servesAll(world, [world.routes()[0]?.group ?? '']))
  expect(unready(world)).not.toEqual([])
  world.stop('web')
  world.settle()
  expect(unready(world)).toEqual([])
})

test('who asks for a change is told whether there is an entry to wait for', () => {
  const world = deployed()
  const answers = (text: string) => {
    const sources = [{ file: 'web.yml', text, name: 'web' }]
    const decided = decideDeploy(world.view, defaultSettings, project, { sources }, world.now)
    if (isProblem(decided)) throw new Error(decided.message)
    return decided.response.services.map(({ outcome, entry }) => [outcome, entry])
  }
  const leads = (kind: 'start' | 'stop') => leadsRequests(world.view, { kind, project, service: 'web' })
  expect(answers(manifest('[{host: shop.example, tls: off}]'))).toEqual([['unchanged', true]])
  expect(answers(manifest('[{path: /api}]'))).toEqual([['updated', true]])
  expect(answers(manifest('[]'))).toEqual([['updated', undefined]])
  expect([leads('start'), leads('stop')]).toEqual([true, false])
  world.deploy(manifest('[]'))
  expect(leads('start')).toBe(false)
})

test('a machine whose proxy never got the routes says that it does not serve them', async () => {
  const world = deployed()
  const dir = await entryFolder()
  const state = { protocol: keeperProtocol, pid: 1, caddy: null, isCurrent: false, tcp: {} }
  await answerAt(dir, keeperSocket, () => JSON.stringify({ ...state, problem: 'it is taken' }))
  await new Promise<void>((resolve) => {
    const onCommit = () => {
      if (world.view.entryIdle.get(idOf('a'))?.serves !== undefined) resolve()
    }
    followEntry(world, { dir, onCommit })
  })
  const [machine] = bodies(world)[0]?.machines ?? []
  expect([machine?.ready, machine?.problem]).toEqual([false, 'it is taken'])
  expect(bodies(world)[0]?.problem).toBe('a: it is taken')
  expect(unready(world)).toEqual(['shop.example/ is not served yet by the entry of a'])
})

test('a machine on which no process for the proxy comes up says so, and why, until one does', async () => {
  const world = deployed()
  const dir = await entryFolder()
  const entry = followEntry(world, { dir, command: ['false'], keeperWithinMs: 100 })
  const why = expect.stringContaining('the process that keeps the proxy')
  await expect.poll(() => bodies(world)[0]?.machines[0]?.problem).toEqual(why)
  expect(bodies(world)[0]?.machines.map(({ ready }) => ready)).toEqual([false, undefined])
  expect(bodies(world)[0]?.problem).toMatch(/^a: the process that keeps the proxy .* see .*keeper\.log/)
  expect(entry.problem()).toEqual(why)
  const state = { protocol: keeperProtocol, pid: 1, caddy: 2, isCurrent: true, problem: null, tcp: {} }
  await answerAt(dir, keeperSocket, ({ url }) => (url === '/state' ? JSON.stringify(state) : ''))
  await expect.poll(() => bodies(world)[0]?.machines[0]?.problem).toBeUndefined()
  expect([entry.problem(), bodies(world)[0]?.problem]).toEqual([null, null])
})
