// Tags that are resolved anew: a new version of the same text where one means other bits by now, and only there.
import { describe, expect, test } from 'vitest'
import { type Deploy, decideDeploy } from '../../src/changes/deploy.js'
import { planDeploy } from '../../src/changes/plan.js'
import { isProblem, type Problem } from '../../src/changes/problem.js'
import { imagesToRead } from '../../src/changes/resolved-images.js'
import { openVersionUnits } from '../../src/compile/version-unit.js'
import { toEnd } from '../../src/lib/sliced-work.js'
import type { ResolvedImage } from '../../src/model/image.js'
import { defaultSettings as settings } from '../manifest/default-settings.js'
import { project, World } from '../world/world.js'

const digests = ['a', 'b'].map((letter) => `sha256:${letter.repeat(64)}`) as [string, string]
const references = digests.map((digest) => `nginx:1@${digest}`) as [string, string]
const image = (n: 0 | 1): ResolvedImage => ({ kind: 'digest', reference: references[n] })
const text = 'image: nginx:1\nhealthchecks: []\n'

const requestOf = (more = '', refresh = true) => ({
  sources: [{ file: 'web.yml', text: text + more, name: 'web' }],
  refresh,
})

function decide(world: World, now: ResolvedImage | null, refresh = true, more = ''): Deploy | Problem {
  const images = now === null ? null : new Map([['nginx:1', now]])
  return decideDeploy(world.view, settings, project, requestOf(more, refresh), world.now, images)
}

function decided(...asked: Parameters<typeof decide>): Deploy {
  const deploy = decide(...asked)
  if (isProblem(deploy)) throw new Error(deploy.message)
  return deploy
}

/** A cluster that runs the first meaning of the tag. */
function running(): World {
  const world = new World()
  world.machine('a', { drivers: ['docker'] })
  world.attempt(decided(world, image(0), false))
  world.settle()
  return world
}

function imagesOf(world: World): readonly string[] {
  return world.live('web').map(({ unit }) => {
    const file = world.view.files.get(world.view.units.get(unit)?.hash ?? '') ?? ''
    return /^Image=(.*)$/m.exec(file)?.[1] ?? ''
  })
}

describe('a deploy that refreshes', () => {
  test('makes a new version of the same text where the tag means another image by now', () => {
    const world = running()
    expect(imagesToRead(decided(world, null))).toEqual(['nginx:1'])
    const deploy = decided(world, image(1))
    expect(deploy.response.services).toMatchObject([{ outcome: 'updated', ordinal: 2 }])
    world.attempt(deploy)
    world.settle()
    expect(imagesOf(world)).toEqual([references[1]])
    expect(world.live('web').map(({ name }) => name)).toEqual(['web-2'])
  })

  test('is a deploy of what is current where nothing has moved', () => {
    const world = running()
    const deploy = decided(world, image(0))
    expect(deploy.response.services).toMatchObject([{ outcome: 'unchanged', ordinal: 1, task: null }])
    expect(deploy.ops).toEqual([])
  })

  test('pins a version that nobody could tell the image of when it was made', () => {
    const world = new World()
    world.machine('a', { drivers: ['docker'] })
    world.attempt(decided(world, { kind: 'unknown', reason: 'no route' }, false))
    world.settle()
    expect(imagesOf(world)).toEqual(['nginx:1'])
    world.attempt(decided(world, image(0)))
    world.settle()
    expect(imagesOf(world)).toEqual([references[0]])
  })

  test.each<[ResolvedImage, string]>([
    [{ kind: 'unknown', reason: 'no route to it' }, 'nginx:1 (no route to it)'],
    [
      { kind: 'digest', reference: references[0], noted: 'the registry did not answer in time' },
      'nginx:1 (the registry did not answer in time)',
    ],
  ])('is refused where nobody can tell what the tag means now', (now, said) => {
    const problem = decide(running(), now)
    expect(problem).toMatchObject({ status: 409, code: 'deploy/image-not-resolved' })
    expect((problem as Problem).message).toContain(said)
    expect(isProblem(decide(running(), now, false))).toBe(false)
  })

  test('takes the new meaning for a new text as well, and asks nobody where it is not asked to', () => {
    const world = running()
    expect(imagesToRead(decided(world, null, false))).toEqual([])
    expect(decided(world, image(1), false).response.services).toMatchObject([{ outcome: 'unchanged' }])
    const [made] = decided(world, image(1), true, '# more\n').made
    expect(made?.version).toMatchObject({ ordinal: 2, pinned: references[1] })
  })

  test('asks nobody about images that no tag names', () => {
    const world = new World()
    world.machine('a', { drivers: ['docker'] })
    world.deploy(`image: nginx:1@${digests[0]}\n`, { refresh: true })
    world.settle()
    expect(imagesOf(world)).toEqual([references[0]])
  })

  test('replaces only as many as --canary says', () => {
    const world = running()
    world.scale('web', 2)
    world.settle()
    const request = { ...requestOf(), canary: 1 }
    const images = new Map([['nginx:1', image(1)]])
    const deploy = decideDeploy(world.view, settings, project, request, world.now, images)
    world.attempt(deploy)
    world.settle()
    expect(imagesOf(world).toSorted()).toEqual(references)
  })
})

describe('a plan that refreshes', () => {
  const planned = (world: World, now: ResolvedImage) => {
    const tools = { settings, unitOf: openVersionUnits(settings), explainer: world.explainer }
    const images = new Map([['nginx:1', now]])
    const plan = planDeploy(world.view, tools, project, requestOf(), world.now, images)
    if (isProblem(plan)) throw new Error(plan.message)
    return toEnd(plan.steps)
  }

  test('says what the image was and would be, and is another plan where it moves on', () => {
    const world = running()
    const plan = planned(world, image(1))
    expect(plan.services).toMatchObject([
      {
        outcome: 'updated',
        diff: [],
        pinned: { from: references[0], to: references[1] },
        start: [{ name: 'web-2' }],
        stop: [{ name: 'web-1' }],
      },
    ])
    const third: ResolvedImage = { kind: 'digest', reference: `nginx:1@sha256:${'c'.repeat(64)}` }
    expect(planned(world, third).id).not.toBe(plan.id)
    expect(planned(world, image(0))).toMatchObject({ changes: false, services: [{ outcome: 'unchanged' }] })
  })
})
