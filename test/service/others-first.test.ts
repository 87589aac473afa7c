// The order in which the services of a project come up and go down, with the real planners on a cluster in memory.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { serviceBodyOf } from '../../src/api/bodies.js'
import { explain } from '../../src/api/explain.js'
import { decideDeploy } from '../../src/changes/deploy.js'
import { Found } from '../../src/changes/draft-parts.js'
import { planDeploy } from '../../src/changes/plan.js'
import { isProblem } from '../../src/changes/problem.js'
import { startProject, stopProject } from '../../src/changes/projects.js'
import { terminateTask } from '../../src/changes/queue.js'
import { openVersionUnits } from '../../src/compile/version-unit.js'
import { toEnd } from '../../src/lib/sliced-work.js'
import type { Instance } from '../../src/model/service.js'
import type { UnitName } from '../../src/model/unit.js'
import { serviceKey } from '../../src/store/view.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { randomRuns } from '../random-runs.js'
import { project, World } from '../world/world.js'

type Texts = Readonly<Record<string, string>>

/** A project manifest; to each service what it says beside its program. */
const manifest = (services: Texts): string =>
  `services:\n${Object.entries(services)
    .map(([name, rest]) => `  ${name}: {compute_type: process, command: [/bin/x]${rest && `, ${rest}`}}\n`)
    .join('')}`

const checked = 'healthchecks: [{type: command, command: "true"}]'
const job = 'service_type: event, restart: "no"'
const healthy = (name: string): string => `after: [{service: ${name}, condition: healthy}]`
const completed = (name: string): string => `after: [{service: ${name}, condition: completed}]`

class Shop extends World {
  /** Services of which nothing becomes healthy, and those whose programs do not start. */
  readonly sick = new Set<string>()

  constructor(services: Texts) {
    super()
    this.machine('a', { memoryMb: 100_000 })
    this.deploy(manifest(services))
  }

  /** Lets the planners go on until nothing changes any more. */
  rest(): this {
    this.settle({ healthy: ({ service }: Instance) => !this.sick.has(service) })
    return this
  }

  /** One look of each planner, and one of the machines. */
  look(times = 1): void {
    for (let n = 0; n < times; n++) {
      this.servicePass()
      this.enginePass()
      this.agentPass({ healthy: ({ service }) => !this.sick.has(service) })
      this.now += 500
    }
  }

  stopAll(): void {
    expect(this.attempt(toEnd(stopProject(this.view, project, this.now, new Found())))).toBeNull()
  }

  startAll(): void {
    expect(this.attempt(toEnd(startProject(this.view, project, this.now, new Found())))).toBeNull()
  }

  service(name: string) {
    return this.view.services.get(serviceKey(project, name)) ?? expect.fail(`no service ${name}`)
  }

  status(name: string) {
    const { status, reason } = serviceBodyOf(this.view, this.service(name), this.now)
    return `${status}: ${reason}`
  }

  lastTask(name: string) {
    const tasks = this.view.tasksOf(serviceKey(project, name))
    const last = tasks.filter(({ kind }) => kind !== 'replace').at(-1)
    return `${last?.kind} ${last?.state}${last?.error == null ? '' : `: ${last.error}`}`
  }

  end(name: string, code: number): void {
    const instance = this.live(name).at(-1) ?? expect.fail(`no instance of ${name}`)
    const exit = { code, signal: null, oom: false, at: this.now }
    this.observe(instance, { active: code === 0 ? 'inactive' : 'failed', sub: 'dead', exit })
  }
}

describe('a service that comes up after another one', () => {
  test('is made once that is healthy, and until then says what it waits for', () => {
    const shop = new Shop({ db: checked, web: healthy('db') })
    shop.sick.add('db')
    shop.look(3)
    expect(shop.live('db')).toHaveLength(1)
    expect(shop.all('web')).toEqual([])
    expect(shop.status('web')).toBe('deploying: web waits for db to be healthy')
    const told = explain(shop.view, shop.explainer, project, 'web', shop.now)
    expect('because' in told ? told.because : []).toEqual(['web waits for db to be healthy'])
    expect(shop.told).toContain('web waits for db to be healthy')
    shop.sick.clear()
    shop.rest()
    expect(shop.serving('web')).toHaveLength(1)
    expect(shop.lastTask('web')).toBe('deploy completed')
    expect(shop.service('web')).not.toHaveProperty('waitsForOthers')
    expect(shop.service('web').blocked).toBeNull()
  })

  test('is made once that has started, where that is all that it waits for', () => {
    const shop = new Shop({ db: checked, web: 'after: [db]' })
    shop.sick.add('db')
    shop.look()
    expect(shop.all('web')).toEqual([])
    shop.look(4)
    expect(shop.live('web')).toHaveLength(1)
  })

  test('does not wait where no service is named', () => {
    const shop = new Shop({ web: '' })
    shop.look()
    expect(shop.live('web')).toHaveLength(1)
  })

  test('names the one that fails, with its reason, fails with it, and comes up once that is there after all', () => {
    const fresh = new Shop({ db: checked, web: healthy('db') })
    fresh.sick.add('db')
    fresh.look(3)
    for (const instance of fresh.live('db'))
      fresh.observe(instance, { health: 'unhealthy', healthReason: 'no answer' })
    fresh.rest()
    expect(fresh.lastTask('db')).toContain('deploy failed: db-1 is unhealthy: no answer')
    expect(fresh.lastTask('web')).toBe(
      `deploy failed: web waits for db to be healthy: db has failed: ${fresh.lastTask('db').slice('deploy failed: '.length)}`,
    )
    expect(fresh.status('web')).toContain('web waits for db to be healthy: db has failed: db-1 is unhealthy')
    expect(fresh.all('web')).toEqual([])
    fresh.sick.clear()
    fresh.rest()
    expect(fresh.serving('web')).toHaveLength(1)
    expect(fresh.lastTask('web')).toBe('start completed')
  })

  test('fails with its deadline where the other one is not there in time, and waits on', () => {
    const shop = new Shop({ db: checked })
    shop.sick.add('db')
    shop.look(3)
    shop.deploy(manifest({ web: healthy('db') }), { deadlineMs: 60_000 })
    for (let n = 0; n < 130; n++) shop.look()
    expect(shop.lastTask('web')).toBe(
      'deploy failed: no instance of web was created within 60 s: web waits for db to be healthy',
    )
    expect(shop.all('web')).toEqual([])
    shop.sick.clear()
    shop.rest()
    expect(shop.serving('web')).toHaveLength(1)
  })

  test('waits for one that is stopped, and says so', () => {
    const shop = new Shop({ db: '' }).rest()
    shop.stop('db')
    shop.rest()
    shop.deploy(manifest({ web: 'after: [db]' }))
    shop.look(3)
    expect(shop.status('web')).toBe(
      'deploying: web waits for db to have started: it is stopped (mariposa service start db)',
    )
    shop.start('db')
    shop.rest()
    expect(shop.serving('web')).toHaveLength(1)
  })

  test('is held no more once it was there: not in a rollout, when it fails, nor when it is scaled or started', () => {
    const shop = new Shop({ db: checked, web: healthy('db') }).rest()
    shop.stop('db')
    shop.rest()
    expect(shop.serving('web')).toHaveLength(1)
    for (const instance of shop.live('web'))
      shop.observe(instance, { active: 'failed', exit: { code: 1, signal: null, oom: false, at: shop.now } })
    shop.rest()
    expect(shop.serving('web').map(({ name }) => name)).toEqual(['web-2'])
    shop.scale('web', 3)
    shop.rest()
    expect(shop.serving('web')).toHaveLength(3)
    shop.deploy(manifest({ db: checked, web: `${healthy('db')}, description: another` }))
    shop.rest()
    expect(shop.lastTask('web')).toBe('deploy completed')
    expect(shop.serving('web').map(({ ordinal }) => ordinal)).toEqual([2, 2, 2])
    shop.stop('web')
    shop.rest()
    expect(shop.start('web')).toBeNull()
    shop.rest()
    expect(shop.serving('web')).toHaveLength(3)
    expect(shop.serving('db')).toEqual([])
  })

  test('is held no more where it is stopped while it waits, and by no one that is deleted', () => {
    const shop = new Shop({ db: checked, web: healthy('db') })
    shop.sick.add('db')
    shop.look(3)
    shop.stop('web')
    shop.look(2)
    expect(shop.lastTask('web')).toBe('stop completed')
    expect(shop.service('web')).not.toHaveProperty('waitsForOthers')
    shop.start('web')
    shop.rest()
    expect(shop.serving('web')).toHaveLength(1)
  })

  test('is held still where it was scaled to nothing while it waited', () => {
    const shop = new Shop({ db: checked, web: healthy('db') })
    shop.sick.add('db')
    shop.look(3)
    shop.scale('web', 0)
    shop.look(3)
    shop.scale('web', 2)
    shop.look(3)
    expect(shop.live('web')).toHaveLength(0)
    expect(shop.status('web')).toContain('waits for db')
    shop.sick.delete('db')
    shop.rest()
    expect(shop.serving('web')).toHaveLength(2)
    shop.sick.add('db')
    shop.scale('web', 0)
    shop.rest()
    shop.scale('web', 1)
    shop.rest()
    expect(shop.serving('web')).toHaveLength(1)
  })

  test('is planned to come up in its turn', () => {
    const shop = new Shop({ other: '' })
    const text = manifest({ web: completed('migrate'), migrate: `${job}, ${healthy('db')}`, db: checked })
    const tools = {
      settings: defaultSettings,
      unitOf: openVersionUnits(defaultSettings),
      explainer: shop.explainer,
    }
    const request = { sources: [{ file: 'shop.yml', text }] }
    const planned = planDeploy(shop.view, tools, project, request, shop.now)
    if (isProblem(planned)) throw new Error(planned.message)
    const started = toEnd(planned.steps).services.flatMap(({ start }) => start.map(({ name }) => name))
    expect(started.sort()).toEqual(['db-1', 'migrate-1', 'web-1'])
  })
})

describe('a service that comes up after a job', () => {
  test('begins its run, and is made once that has ended well; the run waits for what it comes after itself', () => {
    const shop = new Shop({ db: checked, migrate: `${job}, ${healthy('db')}`, web: completed('migrate') })
    shop.sick.add('db')
    shop.look(4)
    expect(shop.all('migrate')).toEqual([])
    shop.sick.clear()
    shop.look(8)
    expect(shop.live('migrate').map(({ name }) => name)).toEqual(['migrate-1'])
    expect(shop.status('web')).toBe('deploying: web waits for migrate to have completed')
    shop.end('migrate', 0)
    shop.rest()
    expect(shop.serving('web')).toHaveLength(1)
    expect(shop.view.runsOf(serviceKey(project, 'migrate'))).toHaveLength(1)
    shop.stopAll()
    shop.rest()
    shop.startAll()
    shop.rest()
    expect(shop.serving('web')).toHaveLength(1)
    expect(shop.view.runsOf(serviceKey(project, 'migrate'))).toHaveLength(1)
  })

  test('begins one run and no other where the clock was set back since the job was deployed', () => {
    const shop = new Shop({ migrate: job, web: completed('migrate') })
    shop.now -= 3_600_000
    shop.look(6)
    expect(shop.all('migrate').map(({ name }) => name)).toEqual(['migrate-1'])
    shop.end('migrate', 0)
    shop.rest()
    expect(shop.serving('web')).toHaveLength(1)
    expect(shop.view.runsOf(serviceKey(project, 'migrate'))).toHaveLength(1)
  })

  test('names a run that failed, begins no other by itself, and comes up after one that somebody starts', () => {
    const shop = new Shop({ migrate: job, web: completed('migrate') })
    shop.look(6)
    shop.end('migrate', 3)
    shop.rest()
    expect(shop.lastTask('web')).toBe(
      'deploy failed: web waits for migrate to have completed: its run migrate-1 exited with status 3 (mariposa service start migrate begins another)',
    )
    expect(shop.all('web')).toEqual([])
    expect(shop.view.runsOf(serviceKey(project, 'migrate'))).toHaveLength(1)
    shop.start('migrate')
    shop.look(6)
    shop.end('migrate', 0)
    shop.rest()
    expect(shop.serving('web')).toHaveLength(1)
  })

  test('names a run that took longer than it may, which has not ended well though its program ends with 0', () => {
    const shop = new Shop({ migrate: `${job}, timeout: 30`, web: completed('migrate') })
    shop.endsWhenStopped = { code: 0, signal: null }
    shop.look(80)
    shop.rest()
    expect(shop.lastTask('web')).toBe(
      'deploy failed: web waits for migrate to have completed: its run migrate-1 failed: it ran longer than its timeout of 30 s (mariposa service start migrate begins another)',
    )
    expect(shop.all('web')).toEqual([])
  })

  test('waits for a scheduled one until that has run by its schedule', () => {
    const shop = new Shop({
      nightly: 'service_type: scheduled, restart: "no", schedule: "0 3 * * *"',
      web: completed('nightly'),
    })
    shop.look(6)
    expect(shop.all('nightly')).toEqual([])
    expect(shop.status('web')).toBe('deploying: web waits for nightly to have completed')
  })
})

describe('a project that is stopped', () => {
  test('goes down in the reverse order, and comes up in order again', () => {
    const shop = new Shop({ db: checked, api: healthy('db'), web: healthy('api') }).rest()
    shop.scale('db', 2)
    shop.rest()
    shop.stopAll()
    shop.servicePass()
    expect(shop.live('web')).toEqual([])
    expect(shop.live('api')).toHaveLength(1)
    expect(shop.live('db')).toHaveLength(2)
    expect(shop.status('db')).toBe('stopping: db stops after api')
    expect(shop.status('api')).toBe('stopping: api stops after web')
    const gone: string[] = []
    for (let n = 0; n < 40; n++) {
      shop.look()
      for (const name of ['web', 'api', 'db'])
        if (shop.live(name).length === 0 && !gone.includes(name)) {
          for (const other of gone)
            expect(shop.all(other).filter(({ retired }) => retired?.kept !== true)).toEqual([])
          gone.push(name)
        }
    }
    expect(gone).toEqual(['web', 'api', 'db'])
    for (const name of gone) expect(shop.lastTask(name)).toBe('stop completed')
    shop.startAll()
    shop.look()
    expect(shop.live('db')).toHaveLength(2)
    expect([...shop.live('api'), ...shop.live('web')]).toEqual([])
    shop.rest()
    expect(['db', 'api', 'web'].map((name) => shop.serving(name).length)).toEqual([2, 1, 1])
  })

  test('does not wait for one whose machine is away', () => {
    const shop = new Shop({ db: checked })
    shop.look(4)
    const other = shop.machine('b')
    shop.deploy(manifest({ web: healthy('db') }))
    shop.rest()
    expect(shop.view.placements.get(shop.live('web')[0]?.unit ?? ('' as UnitName))?.machine).toBe(other)
    shop.loseMachine(other)
    shop.stopAll()
    shop.look(4)
    expect(shop.live('db')).toEqual([])
  })

  test('does not wait for one whose stop somebody has ended', () => {
    const shop = new Shop({ db: checked, web: healthy('db') }).rest()
    shop.stopAll()
    const stop = shop.view.tasksOf(serviceKey(project, 'web')).at(-1)
    expect(shop.attempt(terminateTask(shop.view, stop?.uuid ?? '', false, shop.now))).toBeNull()
    shop.look(4)
    expect(shop.live('db')).toEqual([])
  })

  test('a stop of one service alone waits for nobody', () => {
    const shop = new Shop({ db: checked, web: healthy('db') }).rest()
    shop.stop('db')
    shop.servicePass()
    expect(shop.live('db')).toEqual([])
    expect(shop.live('web')).toHaveLength(1)
  })

  test('a circle that came about holds up nobody', () => {
    const shop = new Shop({ db: '', web: '' }).rest()
    shop.deploy(manifest({ web: 'after: [db]' }))
    shop.rest()
    shop.deploy(manifest({ web: '' }))
    shop.rest()
    shop.deploy(manifest({ db: 'after: [web]' }))
    shop.rest()
    const [, second] = shop.view.versionsOf(serviceKey(project, 'web'))
    expect(shop.tryRevert('web', { version: second?.uuid ?? '' })).toBeNull()
    shop.rest()
    shop.stopAll()
    shop.rest()
    expect([shop.lastTask('db'), shop.lastTask('web')]).toEqual(['stop completed', 'stop completed'])
    shop.startAll()
    shop.rest()
    expect([shop.serving('db').length, shop.serving('web').length]).toEqual([1, 1])
  })
})

describe('a deploy is refused', () => {
  const refusal = (world: World, text: string, prune = false) => {
    const request = { sources: [{ file: 'shop.yml', text }], ...(prune && { prune }) }
    const decided = decideDeploy(world.view, defaultSettings, project, request, world.now)
    return isProblem(decided)
      ? (decided.details ?? []).map(({ code, line, message }) => `${code} ${line}: ${message}`)
      : []
  }

  test('where a service comes after one that is not there, or that the same deploy removes', () => {
    const shop = new Shop({ db: '' })
    expect(refusal(shop, manifest({ web: 'after: [dbb]' }))).toEqual([
      'manifest/unknown-service 2: there is no service "dbb" in the project',
    ])
    expect(refusal(shop, manifest({ web: 'after: [db]' }))).toEqual([])
    expect(refusal(shop, manifest({ web: 'after: [db]' }), true)).toHaveLength(1)
  })

  test('where services would come up after each other', () => {
    const shop = new Shop({ db: '', web: 'after: [db]' })
    expect(refusal(shop, manifest({ db: 'after: [web]' }))).toEqual([
      'manifest/cycle 2: these services wait for each other in a circle: db after web after db',
    ])
  })
})

const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const runsOfProperty = randomRuns('ORDER_RUNS', 30)

/** For each service the earlier ones that it comes after, by their numbers, and how. */
const graph = fc.array(
  fc.record({
    after: fc.uniqueArray(fc.nat(names.length - 1), { maxLength: 3 }),
    condition: fc.constantFrom('started', 'healthy'),
    checked: fc.boolean(),
    slow: fc.nat(6),
  }),
  { minLength: 1, maxLength: names.length },
)

test('whatever comes after what: each is made after its dependencies, all come up, and all go down in reverse', () => {
  fc.assert(
    fc.property(graph, (services) => {
      const others = (n: number): readonly string[] =>
        (services[n]?.after ?? []).filter((one) => one < n).map((one) => names[one] ?? '')
      const texts = services.map((one, n): [string, string] => [
        names[n] ?? '',
        [
          one.checked ? checked : 'description: unchecked',
          `after: [${others(n)
            .map((service) => `{service: ${service}, condition: ${one.condition}}`)
            .join(', ')}]`,
        ].join(', '),
      ])
      const shop = new Shop(Object.fromEntries(texts.toReversed()))
      const play = (watch: () => void): void => {
        for (let round = 0; round < 120; round++) {
          for (const [n, one] of services.entries()) {
            if (round < one.slow * 3) shop.sick.add(names[n] ?? '')
            else shop.sick.delete(names[n] ?? '')
          }
          shop.look()
          watch()
        }
      }
      const wasUp = new Set<string>()
      const watchUp = (): void => {
        for (const [n, [name]] of texts.entries()) {
          if (shop.live(name).length === 0) continue
          for (const other of others(n)) expect(wasUp.has(other), `${name} before ${other}`).toBe(true)
        }
        for (const [name] of texts) if (shop.serving(name).length > 0) wasUp.add(name)
      }
      play(watchUp)
      expect(texts.filter(([name]) => shop.serving(name).length !== 1)).toEqual([])
      shop.stopAll()
      play(() => {
        for (const [n, [name]] of texts.entries()) {
          const stopped = shop.all(name).every(({ retired }) => retired !== null)
          for (const other of others(n))
            if (!stopped) expect(shop.live(other).length, `${other} before ${name}`).toBe(1)
        }
      })
      expect(texts.filter(([name]) => shop.live(name).length > 0)).toEqual([])
      expect(texts.filter(([name]) => shop.lastTask(name) !== 'stop completed')).toEqual([])
      shop.startAll()
      wasUp.clear()
      play(watchUp)
      expect(texts.filter(([name]) => shop.serving(name).length !== 1)).toEqual([])
    }),
    { numRuns: runsOfProperty },
  )
})
