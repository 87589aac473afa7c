// What was made from other values of the project's metadata is told, and made anew where that is asked for, and only there.
import { beforeEach, describe, expect, it } from 'vitest'
import { serviceDetailsOf } from '../../src/api/bodies.js'
import { decideDeploy } from '../../src/changes/deploy.js'
import { setMeta } from '../../src/changes/meta.js'
import { decideAsPlanned, planDeploy } from '../../src/changes/plan.js'
import { isProblem, type Problem } from '../../src/changes/problem.js'
import { plainPaint as paint } from '../../src/cli/paint.js'
import { describePlan } from '../../src/cli/plan-text.js'
import type { DeployRequest } from '../../src/contract/contract.js'
import { toEnd } from '../../src/lib/sliced-work.js'
import { madeOf } from '../../src/model/meta-fingerprints.js'
import { serviceKey } from '../../src/store/view.js'
import { defaultSettings as settings } from '../manifest/default-settings.js'
import { bodiesOf } from '../world/bodies.js'
import { project, World } from '../world/world.js'

const manifest = (more = '') => `compute_type: process
command: serve
environment:
  COLOR: "{{ .meta.color }}"
  PASSWORD: '{{ default .meta.password "none" }}'
${more}`
const key = serviceKey(project, 'web')

let world = new World()
beforeEach(() => {
  world = new World()
  world.machine('a')
  world.meta('color', 'red')
})

/** Stands for the secret box: what is stored is another text each time, and can be opened. */
let writes = 0
const seal = (text: string): string => `${++writes}:${text}`
const isSecret = (sealed: string, text: string): boolean => sealed.endsWith(`:${text}`)
function secret(name: string, value: string): void {
  const request = { value, secret: true }
  const change = setMeta(world.view, project, name, request, seal, world.now, isSecret)
  if (isProblem(change)) throw new Error(change.message)
  world.apply(change.ops)
}

function deploy(options: Partial<DeployRequest> = {}, text = manifest()): void {
  world.deploy(text, options)
  world.settle()
}
const request = (more: Partial<DeployRequest> = {}): DeployRequest => ({
  sources: [{ file: 'web.yml', text: manifest(), name: 'web' }],
  ...more,
})
function must<T extends object>(found: T | Problem): T {
  if (isProblem(found)) throw new Error(found.message)
  return found
}
const decided = (more: Partial<DeployRequest> = {}) =>
  must(decideDeploy(world.view, settings, project, request(more), world.now))
const tools = () => ({ settings, unitOf: world.unitOf, explainer: world.explainer })
const planned = (more: Partial<DeployRequest> = {}) =>
  toEnd(must(planDeploy(world.view, tools(), project, request(more), world.now)).steps)

const service = () => world.view.services.get(key) ?? expect.fail('no service')
const body = () => bodiesOf(world.view, world.now).service(service())
const instances = () =>
  serviceDetailsOf(world.view, service(), null, bodiesOf(world.view, world.now)).instances
const drifted = () => instances().map(({ name, drifted: keys = [] }) => [name, ...keys].join(' '))
const live = () => world.live('web').map(({ name }) => name)

describe('a service', () => {
  it('says which values it was made of that are others by now', () => {
    deploy({ scale: 2 })
    expect(body().drifted).toBeUndefined()
    world.meta('color', 'blue')
    expect(body()).toMatchObject({ status: 'running', reason: '', drifted: ['meta.color'] })
    world.scale('web', 3)
    world.settle()
    expect(drifted()).toEqual(['web-1 meta.color', 'web-2 meta.color', 'web-3'])
    world.meta('color', 'red')
    expect(drifted()).toEqual(['web-1', 'web-2', 'web-3 meta.color'])
  })

  it('was made of a key that was not there, or is not there any more, as of another value', () => {
    deploy()
    world.meta('password', 'plain')
    expect(body().drifted).toEqual(['meta.password'])
    world.meta('color', null)
    expect(body().drifted).toEqual(['meta.color', 'meta.password'])
    world.meta('unasked', 'x')
    world.meta('password', null)
    world.meta('color', 'red')
    expect(body().drifted).toBeUndefined()
  })

  it('knows a secret by the write that gave it its value, and tells its key alone', () => {
    secret('password', 'open sesame')
    deploy()
    secret('password', 'open sesame')
    expect(body().drifted).toBeUndefined()
    secret('password', 'shut')
    expect(body().drifted).toEqual(['meta.password'])
    const records = [...world.view.instances.values(), ...world.view.versions.values()]
    expect(JSON.stringify([body(), records])).not.toMatch(/sesame|shut/)
    deploy({ refresh: true })
    secret('password', 'shut')
    expect(body().drifted).toBeUndefined()
  })

  it('has the secret of its last start, which its machine tells', () => {
    secret('password', 'one')
    deploy()
    secret('password', 'two')
    expect(drifted()).toEqual(['web-1 meta.password'])
    const [first] = world.live('web')
    if (first !== undefined)
      world.observe(first, { madeOf: madeOf(['password'], world.view.metaOf(project)) })
    expect(drifted()).toEqual(['web-1'])
    secret('password', 'three')
    expect(drifted()).toEqual(['web-1 meta.password'])
  })

  it('is as it says after a reprovision, and its instances that are to stop say nothing', () => {
    deploy()
    world.meta('color', 'blue')
    world.reprovision('web')
    world.settle()
    expect(body().drifted).toBeUndefined()
    world.meta('color', 'green')
    world.stop('web')
    world.settle()
    expect(body().drifted).toBeUndefined()
  })

  it('of runs is not drifted by what they were made of: each takes what is then', () => {
    deploy({}, manifest('service_type: event\n'))
    world.start('web')
    world.settle()
    world.meta('color', 'blue')
    expect(body().drifted).toBeUndefined()
    expect(drifted()).toEqual(['web-1 meta.color'])
    const sources = [{ file: 'web.yml', text: manifest('service_type: event\n'), name: 'web' }]
    expect(decided({ refresh: true, sources }).response.services).toMatchObject([{ outcome: 'unchanged' }])
  })

  it('has no instance to replace for what its webhooks ask for, and is another version for that', () => {
    const hook = 'webhooks: [{url: "https://{{ .meta.host }}/x", secret: "{{ .meta.sign }}"}]\n'
    world.meta('host', 'a.example')
    secret('sign', 'one')
    const sources = [{ file: 'web.yml', text: manifest(hook), name: 'web' }]
    deploy({ sources })
    secret('sign', 'two')
    expect(body().drifted).toBeUndefined()
    world.meta('host', 'b.example')
    expect(body().drifted).toEqual(['meta.host'])
    expect(drifted()).toEqual(['web-1'])
    deploy({ sources, refresh: true })
    expect(body()).toMatchObject({ ordinal: 2 })
    expect(body().drifted).toBeUndefined()
    expect(world.view.versions.get(service().current)?.webhooks?.[0]?.url).toBe('https://b.example/x')
  })
})

describe('a deploy of what has drifted', () => {
  beforeEach(() => {
    deploy({ scale: 3 })
    world.meta('color', 'blue')
  })

  it('changes nothing, and says so', () => {
    const deployed = decided()
    expect(deployed.ops).toEqual([])
    expect(deployed.response.services).toMatchObject([
      { outcome: 'unchanged', ordinal: 1, task: null, drifted: ['meta.color'] },
    ])
    expect(describePlan(planned(), paint)).toContain('drifted: meta.color (--refresh makes a new version)')
    expect(planned()).toMatchObject({
      changes: false,
      services: [{ outcome: 'unchanged', drifted: ['meta.color'], start: [], stop: [] }],
    })
  })

  it('with --refresh is a rollout of a new version of the same text', () => {
    const plan = planned({ refresh: true })
    expect(plan.services).toMatchObject([
      { outcome: 'updated', ordinal: 2, drifted: ['meta.color'], diff: [], stop: [{}, {}, {}] },
    ])
    expect(describePlan(plan, paint)).toContain('takes the current values: meta.color')
    deploy({ refresh: true, rolling: 3 })
    expect(live()).toEqual(plan.services[0]?.start.map(({ name }) => name))
    expect(body().drifted).toBeUndefined()
    expect(decided({ refresh: true }).response.services).toMatchObject([{ outcome: 'unchanged', task: null }])
  })

  it('is held to the plan that was looked at', () => {
    const { id } = planned({ refresh: true })
    const asked = request({ refresh: true, expect: id })
    const now = () =>
      decideAsPlanned(world.view, tools(), project, asked, world.now, null, planned({ refresh: true }))
    expect(isProblem(now())).toBe(false)
    world.meta('password', 'plain')
    expect(now()).toMatchObject({ code: 'deploy/not-as-planned' })
  })

  it('goes on with the version of a canary, and makes no other', () => {
    deploy({ refresh: true, canary: 1 })
    expect(body()).toMatchObject({ ordinal: 2, drifted: ['meta.color'] })
    deploy({ refresh: true })
    expect(body().ordinal).toBe(2)
    expect(body().drifted).toBeUndefined()
  })

  it('follows the rollout that is under way where it is repeated', () => {
    world.deploy(manifest(), { refresh: true })
    world.servicePass()
    const [again] = decided({ refresh: true }).response.services
    expect(again).toMatchObject({ outcome: 'unchanged', ordinal: 2 })
    expect(again?.task).toBe(world.view.tasksOf(key).at(-1)?.uuid)
  })

  it('leaves nothing to be made anew for who asks for it a second time', () => {
    deploy()
    world.meta('color', 'blue')
    world.deploy(manifest(), { refresh: true })
    world.servicePass()
    expect(body().drifted).toEqual(['meta.color'])
    for (const again of [decided({ refresh: true }), decided()])
      expect(again.response.services).toEqual([expect.not.objectContaining({ drifted: expect.anything() })])
  })

  it('goes back to the version before where the new instances do not come up', () => {
    const sources = [
      { file: 'web.yml', text: manifest('healthchecks: [{type: http, port: 80}]\n'), name: 'web' },
    ]
    deploy({ sources })
    world.meta('color', 'green')
    world.deploy('', { sources, refresh: true, autoRevert: true, deadlineMs: 30_000 })
    world.settle({ healthy: ({ ordinal }) => ordinal === 2 })
    expect(world.live('web').map(({ ordinal }) => ordinal)).toEqual([2, 2, 2])
    expect(body().drifted).toEqual(['meta.color'])
  })
})
