// Bodies of trigger calls: what is taken of them, for which run, and until when they are kept.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { runBodyOf } from '../../src/api/schedules.js'
import { keptBody, type SentBody } from '../../src/changes/call-bodies.js'
import { decideDeploy } from '../../src/changes/deploy.js'
import { withSecrets } from '../../src/changes/generated-secrets.js'
import { isProblem, type Problem } from '../../src/changes/problem.js'
import { terminateTask } from '../../src/changes/queue.js'
import { decideCall } from '../../src/changes/trigger-calls.js'
import { bodiesAtMost, type GivenBody, projectBodiesAtMost } from '../../src/model/call-body.js'
import type { Instance } from '../../src/model/service.js'
import { putOf } from '../../src/store/records.js'
import { sealedIn } from '../../src/store/sealed.js'
import { serviceKey } from '../../src/store/view.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { project, World } from '../world/world.js'

const key = serviceKey(project, 'job')
const seal = (text: string, place: string): string => `${place}\n${text}`

function sent(body: string | Uint8Array, type: string | null = 'application/json'): SentBody {
  return { bytes: Buffer.from(body), type, print: `print of ${Buffer.from(body).toString('latin1')}` }
}

function given(body: SentBody, use: 'file' | 'variables' = 'variables'): GivenBody | Problem {
  const kept = keptBody(new World().view, { project, service: 'job', id: 'a' }, use, body, seal)
  if (kept === null || isProblem(kept)) return kept ?? expect.fail('nothing')
  return JSON.parse(kept.record.sealed.split('\n')[1] ?? '') as GivenBody
}

const form = 'application/x-www-form-urlencoded'
const key1 = fc.stringMatching(/^[A-Za-z0-9_]{1,12}$/)
const text = fc.string({ unit: 'binary', maxLength: 40 })

describe('the variables of a body', () => {
  it('are its keys in capitals, whatever JSON holds that can be passed on', () => {
    fc.assert(
      fc.property(
        fc.dictionary(key1, fc.oneof(text, fc.jsonValue({ maxDepth: 2 })), { maxKeys: 8 }),
        (body) => {
          const found = given(sent(JSON.stringify(body)))
          const names = Object.keys(body).map((name) => `TRIGGER_${name.toUpperCase()}`)
          if (isProblem(found)) {
            const isBad = Object.values(body).some((one) =>
              /\0|\p{Surrogate}|\p{Noncharacter_Code_Point}/u.test(String(one)),
            )
            expect(isBad || new Set(names).size < names.length).toBe(true)
            return
          }
          expect(Object.keys(found.variables).sort()).toEqual(names.sort())
          for (const [name, value] of Object.entries(body)) {
            const text = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
            expect(found.variables[`TRIGGER_${name.toUpperCase()}`]).toBe(text)
          }
        },
      ),
    )
  })

  it('are refused where a number would be another one, and where they are nested too deep', () => {
    const bad = { code: 'trigger/bad-body', status: 422 }
    for (const one of ['12345678901234567890', '[1e400]', '{"id":-9007199254740993}'])
      expect(given(sent(`{"a":${one}}`)), one).toMatchObject(bad)
    for (const depth of [200, 30_000])
      expect(given(sent(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)), String(depth)).toMatchObject(bad)
    expect(given(sent('{"a":9007199254740991,"b":[[1.5,-0.25]]}'))).toMatchObject({
      variables: { TRIGGER_A: '9007199254740991', TRIGGER_B: '[[1.5,-0.25]]' },
    })
  })

  it('are none of those that say where a file is, and have names of a bounded length', () => {
    for (const key of ['body', 'Body_Type', 'a'.repeat(101)])
      for (const one of [sent(JSON.stringify({ [key]: '/etc/passwd' })), sent(`${key}=x`, form)])
        expect(given(one), key).toMatchObject({ code: 'trigger/bad-body', status: 422 })
  })

  it('of a form are what was put into it', () => {
    const plain = text.filter((one) => !/\0|\p{Surrogate}|\p{Noncharacter_Code_Point}/u.test(one))
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple<[string, string]>(key1, plain), {
          maxLength: 8,
          selector: ([name]) => name.toUpperCase(),
        }),
        (pairs) => {
          const body = new URLSearchParams(pairs).toString()
          expect(given(sent(body, form))).toEqual({
            data: null,
            variables: Object.fromEntries(
              pairs.map(([name, value]) => [`TRIGGER_${name.toUpperCase()}`, value]),
            ),
          })
        },
      ),
    )
  })

  it('never have another beginning, and any bytes are taken or refused with a reason', () => {
    const types = fc.constantFrom(
      'application/json',
      form,
      'application/json; charset=utf-8',
      'text/plain',
      null,
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          text.map((one) => Buffer.from(one)),
        ),
        types,
        (bytes, type) => {
          const found = given(sent(bytes, type))
          if (isProblem(found)) expect([400, 415, 422]).toContain(found.status)
          else for (const name of Object.keys(found.variables)) expect(name).toMatch(/^TRIGGER_[A-Z0-9_]+$/)
        },
      ),
    )
  })

  test.each([
    ['no type', sent('{}', null), 415, 'trigger/bad-type'],
    ['another type', sent('{}', 'text/plain'), 415, 'trigger/bad-type'],
    ['another charset', sent('{}', 'application/json; charset=latin1'), 415, 'trigger/bad-type'],
    ['no JSON', sent('{'), 400, 'trigger/bad-body'],
    ['no UTF-8', sent(Buffer.from([0x7b, 0xff, 0x7d])), 400, 'trigger/bad-body'],
    ['no form', sent('a=%zz', form), 400, 'trigger/bad-body'],
    ['a list', sent('[1]'), 422, 'trigger/bad-body'],
    ['a name that is none', sent('{"a-b":1}'), 422, 'trigger/bad-body'],
    ['an empty name', sent('{"":1}'), 422, 'trigger/bad-body'],
    ['a NUL', sent('{"a":"\\u0000"}'), 422, 'trigger/bad-body'],
    ['names alike', sent('{"a":1,"A":2}'), 422, 'trigger/bad-body'],
    ['a field twice', sent('a=1&a=2', form), 422, 'trigger/bad-body'],
    [
      'too many',
      sent(JSON.stringify(Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`a${n}`, 1])))),
      422,
      'trigger/bad-body',
    ],
    [
      'too many fields',
      sent(Array.from({ length: 65 }, (_, n) => `a${n}=1`).join('&'), form),
      422,
      'trigger/bad-body',
    ],
    ['too long', sent(JSON.stringify({ a: 'x'.repeat(32_768) })), 413, 'trigger/too-large'],
  ])('are none where it has %s', (_what, body, status, code) => {
    expect(given(body)).toMatchObject({ status, code })
  })

  it('are none of an empty body, and a file takes any', () => {
    expect(given(sent('', null))).toEqual({ data: null, variables: {} })
    expect(given(sent(Buffer.from([0, 255]), 'image/png'), 'file')).toEqual({
      data: 'AP8=',
      variables: { TRIGGER_BODY_TYPE: 'image/png' },
    })
    expect(given(sent('', 'a\nb'), 'file')).toEqual({ data: '', variables: {} })
  })
})

/** A service whose trigger hands bodies on. */
class Called extends World {
  #calls = 0

  constructor(more = '') {
    super()
    this.machine('a', { memoryMb: 100_000 })
    const text = `service_type: event\ncompute_type: process\ncommand: [/bin/job]\nstop: {preservestopped: on-failure}\n${more}\ntriggers:\n  go: {secret: gogogogo, action: start, body: variables}\n`
    const request = { sources: [{ file: 'job.yml', text, name: 'job' }] }
    const maker = { make: () => '', seal, opens: () => true, keyHeld: () => ({ decidedOn: [], ops: [] }) }
    const decided = withSecrets(
      this.view,
      decideDeploy(this.view, defaultSettings, project, request, this.now),
      maker,
      this.now,
    )
    if (isProblem(decided)) throw new Error(decided.message)
    this.attempt(decided)
    this.look()
  }

  look(): this {
    for (let n = 0; n < 4; n++) {
      this.servicePass()
      this.enginePass()
      this.agentPass({ healthy: () => true })
      this.now += 500
    }
    return this
  }

  decide(word: string, id: string | null = null) {
    const call = { project, service: 'job', name: 'go', id, body: sent(JSON.stringify({ word })) }
    return decideCall(this.view, call, { id: `ca11-${this.#calls++}`, seal }, this.now)
  }

  call(word: string, id: string | null = null) {
    const change = this.decide(word, id)
    if (isProblem(change)) throw new Error(change.message)
    this.attempt(change)
    this.now += 1
    return change
  }

  /** The words that are kept. */
  kept(): readonly string[] {
    return [...this.view.callBodiesOf(key).values()].map(({ sealed }) => {
      const { variables } = JSON.parse(sealed.split('\n')[1] ?? '') as GivenBody
      return variables.TRIGGER_WORD ?? ''
    })
  }

  /** The text of an instance's unit. */
  unitText({ unit }: Instance): string {
    return this.view.files.get(this.view.units.get(unit)?.hash ?? '')?.toString() ?? ''
  }

  end(instance: Instance, code: number): void {
    const exit = { code, signal: null, oom: false, at: this.now }
    this.observe(instance, { active: code === 0 ? 'inactive' : 'failed', sub: 'dead', exit })
    this.look()
  }
}

describe('the body of a call', () => {
  it('is bound to one run, and goes when that is over', () => {
    const world = new Called('restart: "no"')
    world.call('one')
    world.call('two')
    world.look()
    const [one, two] = world.live('job')
    if (one === undefined || two === undefined) throw new Error('two runs')
    expect([one.body, two.body]).toEqual(['ca11-0', 'ca11-1'])
    for (const instance of [one, two])
      expect(world.unitText(instance)).toContain(`TRIGGER_WORD={{ call.${instance.body}.TRIGGER_WORD }}`)
    expect(world.unitText(one)).not.toContain('one')
    expect(world.kept()).toEqual(['one', 'two'])
    world.end(one, 0)
    expect(world.kept()).toEqual(['two'])
    // It is kept to be looked at, and never starts again.
    world.end(two, 1)
    expect(world.all('job').map(({ retired }) => retired?.kept)).toEqual([true])
    expect(world.kept()).toEqual([])
    const runs = world.view.runsOf(key).map(runBodyOf)
    expect(runs.map(({ body }) => body)).toEqual(
      [1, 2].map(() => ({ as: 'variables', bytes: 14, variables: ['TRIGGER_WORD'] })),
    )
    expect(JSON.stringify(runs)).not.toContain('two')
  })

  it('stays while its run waits, or may start again, and goes with a stop, or with its service', () => {
    const world = new Called('concurrency: 1')
    for (const word of ['one', 'two', 'three']) world.call(word)
    world.look()
    expect(world.live('job')).toHaveLength(1)
    expect(world.kept()).toEqual(['one', 'two', 'three'])
    world.stop('job')
    world.look()
    world.settle()
    expect(world.kept()).toEqual([])
    world.call('four')
    world.look()
    world.delete('job')
    world.settle()
    expect(world.view.services.has(key)).toBe(false)
    expect(world.kept()).toEqual([])
  })

  it('of a start whose task is ended goes with it', () => {
    const world = new Called('concurrency: 1')
    world.call('one')
    world.look()
    const { task } = world.call('two')
    world.attempt(terminateTask(world.view, task, false, world.now))
    world.look()
    expect(world.kept()).toEqual(['one'])
  })

  it('of the same name has to be the same', () => {
    const world = new Called()
    const first = world.call('one', 'build 7')
    expect(world.call('one', 'build 7')).toMatchObject({ repeated: true, task: first.task, ops: [] })
    expect(world.decide('other', 'build 7')).toMatchObject({ status: 422, code: 'trigger/other-body' })
    expect(world.kept()).toEqual(['one'])
  })

  it('is refused where many are kept, of a service or in all', () => {
    const world = new Called()
    const fill = (number: number, size: number, service: string): void => {
      for (let n = 0; n < number; n++)
        world.attempt({
          ...{ decidedOn: [], events: [], tasks: [] },
          ops: [putOf('callBody', { project, service, id: `full-${n}`, sealed: 'x'.repeat(size) })],
        })
    }
    fill(bodiesAtMost, 1, 'job')
    expect(world.decide('one')).toMatchObject({ status: 429, code: 'trigger/too-many-bodies' })
    // Nothing needs them.
    world.start('job')
    world.look()
    expect(world.decide('one')).toMatchObject({ repeated: false })
    fill(1, projectBodiesAtMost, 'other')
    expect(world.decide('one')).toMatchObject({ status: 429, code: 'trigger/too-many-bodies' })
  })

  it('is sealed anew with another key', () => {
    const world = new Called()
    world.call('one')
    const [sealed] = [...sealedIn(world.view)].filter(({ of }) => of.startsWith('body of a call'))
    expect(sealed?.place).toBe('call-body/default/job/ca11-0')
    expect(sealed?.replacedBy('anew')).toMatchObject({ op: 'put', key: 'call-bodies/default/job/ca11-0' })
  })
})
