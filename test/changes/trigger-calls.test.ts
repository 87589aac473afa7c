import { describe, expect, it } from 'vitest'
import { decideDeploy } from '../../src/changes/deploy.js'
import type { MadeVersion } from '../../src/changes/deploy-service.js'
import { withSecrets } from '../../src/changes/generated-secrets.js'
import { isProblem, type Problem } from '../../src/changes/problem.js'
import { shownManifest } from '../../src/changes/trigger-bodies.js'
import { type CallChange, decideCall } from '../../src/changes/trigger-calls.js'
import { comparesOf } from '../../src/store/decision.js'
import { serviceKey } from '../../src/store/view.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { project, World } from '../world/world.js'

const manifest = (triggers: string) =>
  `compute_type: process\ncommand: [/bin/sleep, "60"]\ntriggers:\n${triggers}`

function deploy(world: World, text: string) {
  const request = { sources: [{ file: 'web.yml', text, name: 'web' }] }
  const maker = {
    make: () => `made ${world.now}`,
    seal: (secret: string) => `sealed ${secret}`,
    opens: () => true,
    keyHeld: () => ({ decidedOn: [], ops: [] }),
  }
  const decided = withSecrets(
    world.view,
    decideDeploy(world.view, defaultSettings, project, request, world.now),
    maker,
    world.now,
  )
  if (isProblem(decided)) throw new Error(decided.message)
  world.attempt(decided)
  world.settle()
  return decided
}

function worldWith(triggers: string): World {
  const world = new World()
  world.machine('a')
  deploy(world, manifest(triggers))
  return world
}

let callsMade = 0

/** Decides on a call that is let in. */
function decide(world: World, name: string, id: string | null = null, body = ''): CallChange | Problem {
  const sent = { bytes: Buffer.from(body), type: 'application/json', print: `print of ${body}` }
  const keeping = { id: `ca11-${callsMade++}`, seal: (secret: string, place: string) => `${place} ${secret}` }
  return decideCall(world.view, { project, service: 'web', name, id, body: sent }, keeping, world.now)
}

/** Makes a call that is let in. */
function call(world: World, name: string, id: string | null = null, body = ''): CallChange {
  const change = decide(world, name, id, body)
  if (isProblem(change)) throw new Error(change.message)
  world.attempt(change)
  return change
}

const scaleOf = (world: World) => world.view.services.get(serviceKey(project, 'web'))?.scale
const recordOf = (world: World, name: string) => world.view.triggersOf(serviceKey(project, 'web')).get(name)

describe('a call of a trigger URL', () => {
  it('is the task that the same command would begin', () => {
    const world = worldWith(`  more: {secret: more-more, action: scale, instances: 2}
  fewer: {secret: less-less, action: scale, instances: -1}
  five: {secret: fivefivefive, action: scale, scale: 5}
  off: {secret: stopstopstop, action: stop}
  on: {secret: startstart, action: start}
`)
    const steps: [string, string, number][] = [
      ['more', 'scale', 3],
      ['fewer', 'scale', 2],
      ['five', 'scale', 5],
      ['off', 'stop', 0],
      ['on', 'start', 5],
    ]
    for (const [name, kind, scale] of steps) {
      const { tasks, task } = call(world, name)
      expect(tasks).toMatchObject([{ kind, uuid: task, target: { scale } }])
      world.settle()
      expect(scaleOf(world)).toBe(scale)
    }
    expect(recordOf(world, 'more')).toMatchObject({ calls: 1, lastCalledAt: expect.any(Number) as number })
  })

  it('is refused as the command is', () => {
    const world = worldWith('  on: {secret: startstart, action: start}\n')
    const refused = decide(world, 'on')
    expect(refused).toMatchObject({ status: 409, code: 'service/already-running' })
    expect(recordOf(world, 'on')).toMatchObject({ calls: 0 })
  })

  it('that names itself takes effect once, for a day', () => {
    const world = worldWith('  more: {secret: more-more, action: scale, instances: 1}\n')
    const first = call(world, 'more', 'build 7')
    world.settle()
    expect(call(world, 'more', 'build 7')).toMatchObject({ repeated: true, task: first.task, ops: [] })
    expect(scaleOf(world)).toBe(2)
    call(world, 'more', 'build 8')
    world.settle()
    expect(scaleOf(world)).toBe(3)
    world.now += 25 * 3_600_000
    expect(call(world, 'more', 'build 7')).toMatchObject({ repeated: false })
  })

  it('takes effect once, also where the clock was two days ahead in between', () => {
    const world = worldWith('  more: {secret: more-more, action: scale, instances: 1}\n')
    call(world, 'more', 'build 7')
    world.settle()
    const twoDays = 2 * 24 * 3_600_000
    world.now += twoDays
    for (const name of ['build 8', null]) {
      call(world, 'more', name)
      world.settle()
    }
    world.now -= twoDays
    for (const name of ['build 7', 'build 8'])
      expect(call(world, 'more', name)).toMatchObject({ repeated: true })
  })

  it('replaces what is remembered of the same name once that is old', () => {
    const world = worldWith('  same: {secret: same-same, action: scale, scale: 1}\n')
    for (let day = 0; day < 3; day++) {
      call(world, 'same', 'nightly')
      world.settle()
      world.now += 25 * 3_600_000
    }
    expect(recordOf(world, 'same')?.recent).toHaveLength(1)
  })

  it('is decided on what is remembered of the trigger, so that two at once are not both let through', () => {
    const world = worldWith('  more: {secret: more-more, action: scale, instances: 1}\n')
    const change = call(world, 'more', 'build 7')
    expect(comparesOf(world.view, change).map(({ key }) => key)).toContain('triggers/default/web/more')
  })

  it('is refused where more have named themselves than can be remembered while their signatures hold', () => {
    const world = worldWith('  same: {secret: same-same, action: scale, scale: 1}\n')
    for (let n = 0; n < 200; n++) {
      call(world, 'same', `call ${n}`)
      world.now += 1000
      world.servicePass()
    }
    expect(decide(world, 'same', 'one more')).toMatchObject({ status: 429, code: 'trigger/too-often' })
    world.now += 11 * 60_000
    expect(call(world, 'same', 'one more')).toMatchObject({ repeated: false })
    expect(recordOf(world, 'same')?.recent).toHaveLength(200)
  })

  it('that came while the clock was ahead hold up none once it is set back, and are known again', () => {
    const world = worldWith('  same: {secret: same-same, action: scale, scale: 1}\n')
    for (let n = 0; n < 200; n++) {
      call(world, 'same', `${n}`)
      world.servicePass()
    }
    world.now -= 3_600_000
    expect(call(world, 'same', 'one more').repeated).toBe(false)
    world.servicePass()
    expect(call(world, 'same', '0').repeated).toBe(true)
    expect(call(world, 'same', '199').repeated).toBe(true)
    expect(call(world, 'same', 'one more').repeated).toBe(true)
  })

  it('finds what the current version has, and knows its calls again after a deploy', () => {
    const more = '  more: {url: true, action: scale, instances: 1}\n'
    const world = worldWith(more)
    call(world, 'more', 'build 7')
    world.settle()
    deploy(world, manifest('  other: {secret: otherother, action: stop}\n'))
    const gone = decide(world, 'more')
    expect(gone).toMatchObject({ status: 401, code: 'trigger/refused' })
    const { response } = deploy(world, manifest(more))
    expect(response.services[0]?.secrets).toBeUndefined()
    expect(call(world, 'more', 'build 7').repeated).toBe(true)
  })

  it('is forgotten with the service', () => {
    const world = worldWith('  more: {url: true, action: scale, instances: 1}\n')
    expect(recordOf(world, 'more')?.madeSecret).toMatch(/^sealed made/)
    world.delete('web')
    world.settle()
    expect(recordOf(world, 'more')).toBeUndefined()
  })
})

describe('a manifest that is shown', () => {
  const shown = (text: string): string => {
    const world = new World()
    world.machine('a')
    const [made] = deploy(world, text).made as readonly [MadeVersion]
    return shownManifest(made.version)
  }

  it('has the secrets of trigger URLs hidden, however they are written, and all else as it was', () => {
    const text = manifest(`  a: {secret: plain-secret, action: stop} # plain
  b: {secret: "double\\"quoted\\\\secret", action: stop}
  c: {secret: 'single''quoted''secret', action: stop}
  d: {secret: "{{ default .meta.none \\"0123456789\\" }}", action: stop}
`)
    expect(shown(text)).toBe(
      manifest(`  a: {secret: not shown, action: stop} # plain
  b: {secret: "not shown", action: stop}
  c: {secret: 'not shown', action: stop}
  d: {secret: "{{ default .meta.none \\"not shown\\" }}", action: stop}
`),
    )
  })

  it('has them hidden behind escapes and in other places, and those of webhooks with their headers', () => {
    const text = manifest(`  a: {"secr\\x65t": "SECR\\x45Tesc-000111222333", action: stop}
  b:
    secret: |-
      written-below
    action: stop
  c: &c {secret: 'mentioned-twice', action: stop}
  d: *c
  secret: {secret: named-like-a-key, action: stop}
webhooks:
  - url: https://hooks.example/a
    secret: "whsec_\\x4dDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"
    headers: {Authorization: 'Bearer {{ default .meta.t "0123456789" }}', X-Key: "k\\x65y", X-Other: 'plain'}
`)
    expect(shown(text)).toBe(
      manifest(`  a: {"secr\\x65t": "not shown", action: stop}
  b:
    secret: "not shown"
    action: stop
  c: &c {secret: 'not shown', action: stop}
  d: *c
  secret: {secret: not shown, action: stop}
webhooks:
  - url: https://hooks.example/a
    secret: "not shown"
    headers: {Authorization: 'Bearer {{ default .meta.t "not shown" }}', X-Key: "not shown", X-Other: 'not shown'}
`),
    )
  })

  it('of JSON has them hidden, however they are escaped', () => {
    const of = (secret: string): string =>
      `{"compute_type":"process","command":["/bin/web"],"triggers":{"go":{"secret":"${secret}","action":"stop"}}}`
    expect(shown(of('SECRET\\/with\\/slash-0001'))).toBe(of('not shown'))
  })

  it('cannot be deployed with what stands there in place of a header', () => {
    const headers = 'webhooks: [{url: "https://a", headers: {X: not shown}}]\n'
    const request = { sources: [{ file: 'web.yml', text: manifest('') + headers, name: 'web' }] }
    const world = new World()
    world.machine('a')
    expect(decideDeploy(world.view, defaultSettings, project, request, 0)).toMatchObject({
      code: 'manifest/invalid',
      details: [{ code: 'manifest/bad-value', message: 'this header has the value "not shown"' }],
    })
  })

  it('cannot be deployed with what stands there in place of a secret', () => {
    const text = shown(manifest('  a: {secret: plain-secret, action: stop}\n'))
    const request = { sources: [{ file: 'web.yml', text, name: 'web' }] }
    const world = new World()
    world.machine('a')
    expect(decideDeploy(world.view, defaultSettings, project, request, 0)).toMatchObject({
      code: 'manifest/invalid',
      details: [
        { code: 'manifest/plain-secret', severity: 'warning' },
        { code: 'manifest/bad-value', path: '/triggers/a/secret' },
      ],
    })
  })
})
