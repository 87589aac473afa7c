import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  countMeta,
  findMeta,
  importMeta,
  type MetaChange,
  metaBodyOf,
  removeMeta,
  type Seal,
  setMeta,
} from '../../src/changes/meta.js'
import { isProblem, type Problem } from '../../src/changes/problem.js'
import { metaVariables } from '../../src/manifest/meta-variables.js'
import { metaKeyProblem } from '../../src/model/meta.js'
import { comparesOf } from '../../src/store/decision.js'
import { World } from '../world/world.js'

/** Stands for the secret box: what is stored has nothing of the secret in it. */
const seal: Seal = (secret, place) => `sealed ${secret.length} at ${place}`
const now = 5_000

let world = new World()
beforeEach(() => {
  world = new World()
})

function make(change: MetaChange | Problem): MetaChange {
  if (isProblem(change)) throw new Error(`${change.code}: ${change.message}`)
  world.apply(change.ops)
  return change
}
const set = (key: string, value: string, more: { secret?: boolean; cas?: string } = {}) =>
  setMeta(world.view, 'shop', key, { value, ...more }, seal, now)
const count = (key: string, by: number) => countMeta(world.view, 'shop', key, by, now)
const values = () => Object.fromEntries(metaVariables(world.view.metaOf('shop')).values)

describe('metadata of a project', () => {
  it('is set, seen by templates, and removed', () => {
    make(set('db.host', 'a'))
    expect(values()).toEqual({ 'db.host': 'a' })
    expect(world.view.metaOf('other').size).toBe(0)
    make(removeMeta(world.view, 'shop', 'db.host', undefined))
    expect(values()).toEqual({})
    expect(removeMeta(world.view, 'shop', 'db.host', undefined)).toMatchObject({ code: 'meta/unknown' })
  })

  it('names the nearest key where there is none', () => {
    make(set('db_host', 'a'))
    expect(findMeta(world.view, 'shop', 'db_hots')).toMatchObject({ hint: 'did you mean db_host?' })
  })

  it('has another CAS id after each write, also of the same value at the same instant', () => {
    const ids = [1, 2, 3].map(() => make(set('a', 'x')).set[0]?.casId)
    expect(new Set(ids).size).toBe(3)
  })

  it('is changed only as it was seen, where a CAS id is given', () => {
    const first = make(set('a', '1')).set[0]
    const second = make(set('a', '2', { cas: first?.casId ?? '' })).set[0]
    expect(set('a', '3', { cas: first?.casId ?? '' })).toMatchObject({
      status: 409,
      code: 'meta/cas-mismatch',
      message: expect.stringContaining(second?.casId ?? '?'),
    })
    expect(removeMeta(world.view, 'shop', 'a', first?.casId)).toMatchObject({ code: 'meta/cas-mismatch' })
    expect(set('b', '1', { cas: 'x' })).toMatchObject({ code: 'meta/cas-mismatch' })
    make(removeMeta(world.view, 'shop', 'a', second?.casId))
  })

  it('takes effect only if nobody changed the key since it was looked at', () => {
    make(set('a', '1'))
    const change = make(set('a', '2'))
    const [compared] = comparesOf(world.view, change)
    expect(compared).toEqual({ key: 'meta/shop/a', modRevision: world.view.revisionOf('meta/shop/a') })
  })

  it('counts, from 0 where there is nothing', () => {
    expect(make(count('n', 1)).set[0]?.value).toBe('1')
    expect(make(count('n', 41)).set[0]?.value).toBe('42')
    expect(make(count('n', -50)).set[0]?.value).toBe('-8')
    make(set('empty', ''))
    expect(make(count('empty', -1)).set[0]?.value).toBe('-1')
  })

  it.each(['x', '1.5', '0x10', ' 1', '9007199254740993', '1e3'])('does not count with %j', (value) => {
    make(set('n', value))
    expect(count('n', 1)).toMatchObject({ status: 409, code: 'meta/not-a-number' })
  })

  it('does not count beyond what is exact', () => {
    make(set('n', String(Number.MAX_SAFE_INTEGER)))
    expect(count('n', 1)).toMatchObject({ code: 'meta/not-a-number' })
  })

  it('is imported as one change, what is there staying as it is unless it is forced', () => {
    make(set('a', 'old'))
    const given = { values: { a: 'new', b: 'two' } }
    const change = make(importMeta(world.view, 'shop', given, seal, now))
    expect(change.skipped).toEqual(['a'])
    expect(values()).toEqual({ a: 'old', b: 'two' })
    expect(change.events).toMatchObject([{ kind: 'meta', message: 'meta: b is imported' }])
    make(importMeta(world.view, 'shop', { ...given, force: true }, seal, now))
    expect(values()).toEqual({ a: 'new', b: 'two' })
    const bad = importMeta(world.view, 'shop', { values: { c: '', 'no key': '' } }, seal, now)
    expect(bad).toMatchObject({ code: 'meta/bad-key' })
  })

  it.each(['', '.', 'a.', '.a', 'a..b', 'a b', 'a/b', '-a', 'ä', 'a\n', '{{', '__proto__', 'x'.repeat(101)])(
    'has no key %j',
    (key) => {
      expect(set(key, '')).toMatchObject({ status: 400, code: 'meta/bad-key' })
      expect(count(key, 1)).toMatchObject({ code: 'meta/bad-key' })
    },
  )

  it.each(['\0', '\ud800', '\uE000', 'x'.repeat(65_537)])(
    'has no value that no program could have',
    (value) => {
      expect(set('a', value)).toMatchObject({ status: 400, code: 'meta/bad-value' })
    },
  )
})

describe('a secret', () => {
  it('is in no answer, no event and no plain text', () => {
    const change = make(set('password', 'correct horse', { secret: true }))
    expect(change.set[0]).toMatchObject({ key: 'password', value: null, secret: true })
    expect(JSON.stringify(change)).not.toContain('horse')
    expect(values()).toEqual({ password: null })
    const found = findMeta(world.view, 'shop', 'password')
    expect(isProblem(found) ? found : metaBodyOf(found)).toMatchObject({ value: null })
  })

  it('stays one until it is removed', () => {
    make(set('password', 'one', { secret: true }))
    expect(make(set('password', 'two')).set[0]).toMatchObject({ value: null, secret: true })
    const force = { values: { password: 'three' }, force: true }
    expect(make(importMeta(world.view, 'shop', force, seal, now)).set[0]).toMatchObject({ secret: true })
    make(removeMeta(world.view, 'shop', 'password', undefined))
    expect(make(set('password', 'four')).set[0]).toMatchObject({ value: 'four', secret: false })
  })

  it('is not counted with', () => {
    make(set('n', '1', { secret: true }))
    expect(count('n', 1)).toMatchObject({
      code: 'meta/not-a-number',
      message: 'n cannot be counted: it is a secret',
    })
  })

  it('is what an imported file holds, when that is said', () => {
    const given = { values: { a: 'horse' }, secret: true }
    expect(JSON.stringify(make(importMeta(world.view, 'shop', given, seal, now)))).not.toContain('horse')
    expect(world.view.hasSecrets()).toBe(true)
    make(removeMeta(world.view, 'shop', 'a', undefined))
    expect(world.view.hasSecrets()).toBe(false)
  })
})

it('any text is a key that a template can name, or none', () => {
  fc.assert(
    fc.property(fc.string(), (key) => {
      if (metaKeyProblem(key) === null) expect(key).toMatch(/^[\w.-]{1,100}$/)
    }),
  )
})
