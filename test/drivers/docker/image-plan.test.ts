import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NeededImages } from '../../../src/agent/needed-images.js'
import {
  defaultImageRetention,
  type FetchedImage,
  holdTag,
  type ImageSituation,
  type LocalImage,
  planImages,
  tellImages,
} from '../../../src/drivers/docker/image-plan.js'

const holder = 'mariposa-held/c0ffee'
const idOf = (name: string): string => `sha256:${Buffer.from(name).toString('hex').padEnd(64, '0')}`
const digest = `sha256:${'d'.repeat(64)}`
const day = 86_400_000
const now = 100 * day

const image = (name: string, more: Partial<LocalImage> = {}): LocalImage => ({
  id: idOf(name),
  tags: [`r.example/${name}:1`],
  digests: [],
  bytes: 100,
  ...more,
})
const fetched = (name: string, unneededSince: number | null = null): FetchedImage => ({
  id: idOf(name),
  reference: `r.example/${name}:1`,
  unneededSince,
})
const held = (name: string): string => holdTag(holder, idOf(name))

const plan = (given: Partial<ImageSituation>) =>
  planImages({
    images: [],
    needed: [],
    used: new Set(),
    fetched: [],
    holder,
    retention: defaultImageRetention,
    disk: { bytes: 1000, usedBytes: 100 },
    now,
    ...given,
  })

describe('an image that a version needs', () => {
  it.each([
    ['its name', 'r.example/web:1', {}],
    ['its id', idOf('web'), {}],
    ['its digest', `r.example/web:1@${digest}`, { tags: [], digests: [`r.example/web@${digest}`] }],
    ['the hub', 'docker.io/library/web', { tags: ['web:latest'] }],
  ])('by %s is held by a tag of ours', (_, name, more) => {
    expect(plan({ images: [image('web', more)], needed: [name] }).hold).toEqual([
      { id: idOf('web'), tag: held('web') },
    ])
  })

  it('is held once, and is not removed, however old', () => {
    const images = [image('web', { tags: ['r.example/web:1', held('web')] })]
    const found = plan({ images, needed: ['r.example/web:1'], fetched: [fetched('web', 0)] })
    expect(found).toMatchObject({ hold: [], release: [], remove: [], fetched: [fetched('web')] })
  })
})

describe('an image that nothing needs any more', () => {
  const tags = ['r.example/web:1', held('web')]

  it('loses our tag, and is kept for a while where we fetched it', () => {
    const found = plan({ images: [image('web', { tags })], fetched: [fetched('web')] })
    expect(found.release).toEqual([{ tag: held('web'), via: null }])
    expect(found).toMatchObject({ remove: [], fetched: [fetched('web', now)], wakeAt: now + 7 * day })
  })

  it('is removed when its time has come', () => {
    const found = plan({ images: [image('web', { tags })], fetched: [fetched('web', now - 7 * day)] })
    expect(found).toMatchObject({
      release: [],
      remove: [{ id: idOf('web'), references: tags, why: 'age' }],
      fetched: [],
    })
  })

  it('is removed by its digest where its tag means another by now, and by its id where nothing names it', () => {
    const old = { fetched: [fetched('web', 0)] }
    const untagged = image('web', { tags: [], digests: [`r.example/web@${digest}`] })
    expect(plan({ ...old, images: [untagged] }).remove).toMatchObject([{ references: untagged.digests }])
    const bare = image('web', { tags: [] })
    expect(plan({ ...old, images: [bare] }).remove).toMatchObject([{ references: [bare.id] }])
  })

  it('keeps the names that others gave it', () => {
    const images = [image('web', { tags: ['mine:1', ...tags], digests: [`r.example/web@${digest}`] })]
    expect(plan({ images, fetched: [fetched('web', 0)] }).remove).toMatchObject([{ references: tags }])
  })

  it('stays while a container uses it, stopped or not', () => {
    const found = plan({
      images: [image('web')],
      fetched: [fetched('web', 0)],
      used: new Set([idOf('web')]),
    })
    expect(found).toMatchObject({ remove: [], fetched: [fetched('web')] })
  })

  it('goes beyond a number and while the disk is too full, the longest of no use first', () => {
    const images = ['a', 'b', 'c', 'd'].map((name) => image(name))
    const all = images.map((_, index) => fetched(['a', 'b', 'c', 'd'][index] ?? '', now - 4 + index))
    const removed = (more: Partial<ImageSituation>) =>
      plan({ images, fetched: all, ...more }).remove.map(
        ({ id, why }) => `${why} ${id === idOf('a') ? 'a' : id === idOf('b') ? 'b' : '?'}`,
      )
    expect(removed({})).toEqual([])
    const two = { ...defaultImageRetention, maxCount: 2 }
    expect(removed({ retention: two })).toEqual(['number a', 'number b'])
    expect(removed({ disk: { bytes: 1000, usedBytes: 950 } })).toEqual(['disk a'])
    expect(removed({ disk: { bytes: 1000, usedBytes: 951 } })).toEqual(['disk a', 'disk b'])
    expect(removed({ retention: null, disk: { bytes: 1, usedBytes: 1 } })).toEqual([])
  })

  it('and that was here before us is left as it would be without us', () => {
    const only = image('web', { tags: [held('web')] })
    expect(plan({ images: [only] }).release).toEqual([])
    const other = image('other')
    expect(plan({ images: [only, other] }).release).toEqual([{ tag: held('web'), via: other.id }])
  })

  it('is none that we hold for another cluster', () => {
    const tag = holdTag('mariposa-held/other', idOf('web'))
    expect(plan({ images: [image('web', { tags: [tag] })] })).toMatchObject({ release: [], remove: [] })
  })
})

it('never removes what it did not fetch, what is needed, or what is used', () => {
  const names = fc.subarray(['a', 'b', 'c', 'd', 'e'])
  const some = fc.record({
    here: names,
    needed: names,
    used: names,
    ours: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.option(fc.nat(now)))),
    heldOnes: names,
    limits: fc.record({
      maxAgeMs: fc.option(fc.nat(now)),
      maxCount: fc.option(fc.nat(3)),
      maxDiskPercent: fc.option(fc.nat(100)),
    }),
    usedBytes: fc.nat(1000),
  })
  fc.assert(
    fc.property(some, ({ here, needed, used, ours, heldOnes, limits, usedBytes }) => {
      const images = here.map((name) =>
        image(name, { tags: [`r.example/${name}:1`, ...(heldOnes.includes(name) ? [held(name)] : [])] }),
      )
      const found = plan({
        images,
        needed: needed.map((name) => `r.example/${name}:1`),
        used: new Set(used.map(idOf)),
        fetched: [...new Map(ours).entries()].map(([name, since]) => fetched(name, since)),
        retention: limits,
        disk: { bytes: 1000, usedBytes },
      })
      const removed = found.remove.map(({ id }) => id)
      const fine = new Set(ours.map(([name]) => idOf(name)))
      for (const id of removed) expect(fine.has(id)).toBe(true)
      for (const id of [...needed, ...used].map(idOf)) expect(removed).not.toContain(id)
      for (const { tag } of found.release) expect(needed.map(held)).not.toContain(tag)
    }),
  )
})

it('needs the images of all versions that are kept, and of units of their own', () => {
  const versions = new Map([
    ['v1', { pinned: idOf('one') }],
    ['v2', {}],
  ]) as unknown as Parameters<NeededImages['of']>[0]['versions']
  const files = new Map([
    ['1', '[Container]\nImage=r.example/a:1\n'],
    ['2', '[Container]\nImage=r.example/a:1\n[X-Fleet]\n'],
    ['3', '[Service]\nExecStart=/bin/true\n'],
    ['4', '[Container]\nImage=r.example/a:1\nExecStartPre=x\nInitImage=1 r.example/b:1\n'],
  ])
  const needed = new NeededImages()
  const expected = ['r.example/a:1', 'r.example/b:1', idOf('one')]
  expect(needed.of({ versions, files })).toEqual(expected)
  expect(needed.of({ versions, files })).toEqual(expected)
})

describe('what is told of images', () => {
  const situation = (given: Partial<ImageSituation>): ImageSituation => ({
    ...{ images: [], needed: [], used: new Set(), fetched: [], holder, now },
    ...{ retention: defaultImageRetention, disk: { bytes: 1000, usedBytes: 100 } },
    ...given,
  })
  const told = (given: Partial<ImageSituation>) =>
    tellImages(situation(given)).map(({ names, state, idleSince, goesAt, beyond }) => [
      ...[names[0], state, idleSince, goesAt, beyond],
    ])

  it('is why each of ours is kept, or when it goes', () => {
    const images = [
      image('needed', { tags: ['r.example/needed:1', held('needed')] }),
      ...[image('used'), image('idle'), image('old'), image('unknown')],
      image('built', { tags: ['r.example/built:1', held('built')] }),
    ]
    const given = {
      ...{ images, needed: ['r.example/needed:1'], used: new Set([idOf('used')]) },
      fetched: [
        fetched('needed'),
        fetched('used'),
        fetched('idle', now - day),
        fetched('old', now - 8 * day),
      ],
    }
    expect(told(given)).toEqual([
      ['r.example/built:1', 'others', null, null, null],
      ['r.example/idle:1', 'idle', now - day, now + 6 * day, null],
      ['r.example/needed:1', 'needed', null, null, null],
      ['r.example/old:1', 'idle', now - 8 * day, null, 'age'],
      ['r.example/used:1', 'used', null, null, null],
    ])
    expect(told({ ...given, retention: null })[1]).toEqual([
      'r.example/idle:1',
      'idle',
      now - day,
      null,
      null,
    ])
  })

  it('goes now where the plan removes it', () => {
    const given = { images: [image('web')], fetched: [fetched('web', now - day)] }
    const full = { ...given, disk: { bytes: 1000, usedBytes: 990 } }
    expect(told(full)).toEqual([['r.example/web:1', 'idle', now - day, now + 6 * day, 'disk']])
    expect(plan(full).remove).toHaveLength(1)
  })
})
