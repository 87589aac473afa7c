// What is told of pulls: once for a service, however many of its instances wait, and once for a failure that repeats.
import { describe, expect, test } from 'vitest'
import { PullNews } from '../../src/agent/pull-news.js'
import type { DesiredUnit, PullProgress } from '../../src/model/unit.js'
import { asUnitName } from '../../src/unit/name.js'
import { idOf } from '../world/world.js'

const progress: PullProgress = {
  image: 'app:1',
  since: 1000,
  layers: 1,
  layersDone: 0,
  bytes: 0,
  totalBytes: 2_500_000,
}

function unit(service: string | null, n = 1): DesiredUnit {
  const name = `${service ?? 'own'}-${n}`
  const about = { project: 'default', service: service ?? '', name, n, uuid: name, version: 'v' }
  return {
    ...{ name: asUnitName(`${name}.service`), hash: 'h', desired: 'launched', createdAt: 0 },
    instance: service === null ? null : about,
  }
}

describe('news of pulls', () => {
  test('tell the begin and the end once for a service', () => {
    const news = new PullNews(idOf('m'))
    const [first, second, other] = [unit('web'), unit('web', 2), unit('db')]
    expect(news.note(first, progress)).toMatchObject({
      kind: 'image-pulling',
      ...{ service: 'web', instance: 'web-1', machine: idOf('m'), message: 'web-1 pulls app:1' },
    })
    expect(news.note(first, { ...progress, bytes: 5 })).toBeNull()
    expect(news.note(second, progress)).toBeNull()
    expect(news.note(other, progress)).toMatchObject({ service: 'db' })
    expect(news.end(second.name, { kind: 'fetched' }, 4000)).toBeNull()
    expect(news.end(first.name, { kind: 'fetched' }, 4000)).toMatchObject({
      kind: 'image-pulled',
      message: 'web-1 has app:1, after 3 s, 2.5 MB',
    })
    expect(news.end(first.name, { kind: 'fetched' }, 4000)).toBeNull()
  })

  test('pass on to who still waits, and say when nobody does', () => {
    const news = new PullNews(idOf('m'))
    const [first, second] = [unit('web'), unit('web', 2)]
    news.note(first, progress)
    news.note(second, progress)
    expect(news.end(first.name, { kind: 'not-wanted' }, 2000)).toBeNull()
    expect(news.end(second.name, { kind: 'not-wanted' }, 2000)).toMatchObject({
      kind: 'image-not-pulled',
      message: 'web-2 no longer waits for app:1',
    })
  })

  test('tell a failure once, however often it comes, and what comes of it at last', () => {
    const news = new PullNews(idOf('m'))
    const own = unit(null)
    const drafts = [1, 2, 3].flatMap(() => [
      news.note(own, progress),
      news.end(own.name, { kind: 'failed', reason: 'not now' }, 2000),
    ])
    expect(drafts.map((event) => event?.kind ?? null)).toEqual([
      ...['image-pulling', 'image-not-pulled'],
      ...[null, null, null, null],
    ])
    expect(drafts[1]).toMatchObject({ service: null, data: { unit: own.name, reason: 'not now' } })
    news.note(own, progress)
    expect(news.end(own.name, { kind: 'fetched' }, 2000)).toMatchObject({ kind: 'image-pulled' })
  })
})
