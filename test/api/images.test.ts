// What becomes of the images of a deploy: versions that mean the same bits for good, or a warning.
import { describe, expect, test } from 'vitest'
import { decideDeploy } from '../../src/changes/deploy.js'
import { isProblem } from '../../src/changes/problem.js'
import { agreedImage, imagesToRead } from '../../src/changes/resolved-images.js'
import type { ResolvedImage } from '../../src/model/image.js'
import { defaultSettings as settings } from '../manifest/default-settings.js'
import { idOf, project, World } from '../world/world.js'

const digest = `sha256:${'a'.repeat(64)}`
const pinned: ResolvedImage = { kind: 'digest', reference: `nginx:1@${digest}` }
const made: ResolvedImage = { kind: 'id', reference: digest }
const unknown: ResolvedImage = { kind: 'unknown', reason: 'no route to it' }

function world(...machines: readonly string[]): World {
  const made = new World()
  for (const name of machines) made.machine(name, { drivers: ['docker'] })
  return made
}

function decided(on: World, text: string, images: ReadonlyMap<string, ResolvedImage> | null = null) {
  const request = { sources: [{ file: 'web.yml', text, name: 'web' }] }
  const deploy = decideDeploy(on.view, settings, project, request, on.now, images)
  if (isProblem(deploy)) throw new Error(deploy.message)
  return deploy
}

/** The units of all instances of the service, as the agent gets them. */
function imagesOf(on: World): readonly string[] {
  return on.live('web').map(({ unit }) => {
    const text = on.view.files.get(on.view.units.get(unit)?.hash ?? '') ?? ''
    return /^Image=(.*)$/m.exec(text)?.[1] ?? ''
  })
}

describe('the image of a new version', () => {
  test('is asked for where its tag leaves open which bits it means, and only then', () => {
    const on = world('a')
    const asked = (text: string): readonly string[] => imagesToRead(decided(on, text))
    expect(asked('image: nginx:1\n')).toEqual(['nginx:1'])
    expect(asked('image: nginx\n')).toEqual(['nginx'])
    expect(asked(`image: nginx:1@${digest}\n`)).toEqual([])
    on.deploy('image: nginx:1\n')
    expect(asked('image: nginx:1\n')).toEqual([])
  })

  test('stands in its unit by the digest, and in listings as the manifest names it', () => {
    const on = world('a')
    const deploy = decided(on, 'image: nginx:1\n', new Map([['nginx:1', pinned]]))
    expect(deploy.response.warnings).toEqual([])
    expect(deploy.made[0]?.version).toMatchObject({ image: 'nginx:1', pinned: `nginx:1@${digest}` })
    on.attempt(deploy)
    on.settle()
    expect(imagesOf(on)).toEqual([`nginx:1@${digest}`])
  })

  test('stays the same when metadata changes, unless that names another one', () => {
    const on = world('a')
    on.meta('tag', '1')
    on.meta('who', 'one')
    const text = 'image: "nginx:{{ .meta.tag }}"\nenvironment: {WHO: "{{ .meta.who }}"}\n'
    on.attempt(decided(on, text, new Map([['nginx:1', pinned]])))
    on.settle()
    on.meta('who', 'other')
    on.scale('web', 2)
    on.settle()
    expect(imagesOf(on)).toEqual([`nginx:1@${digest}`, `nginx:1@${digest}`])
    on.meta('tag', '2')
    on.scale('web', 3)
    on.settle()
    expect(imagesOf(on)[2]).toBe('nginx:2')
  })

  test('that nobody can tell of is warned of, at its place', () => {
    const deploy = decided(world('a'), 'image: nginx:1\n', new Map([['nginx:1', unknown]]))
    expect(deploy.response.warnings).toMatchObject([
      { code: 'deploy/image-not-pinned', severity: 'warning', file: 'web.yml', line: 1 },
    ])
    expect(deploy.made[0]?.version).not.toHaveProperty('pinned')
  })

  test.each([
    [['a'], []],
    [['a', 'b'], ['deploy/image-of-machine']],
  ])('that no registry has is warned of where several machines have Docker (%j)', (machines, codes) => {
    const deploy = decided(world(...machines), 'image: nginx:1\n', new Map([['nginx:1', made]]))
    expect(deploy.response.warnings.map(({ code }) => code)).toEqual(codes)
    expect(deploy.made[0]?.version.pinned).toBe(digest)
  })
})

describe('what machines say together', () => {
  const agreed = (...images: readonly ResolvedImage[]): ResolvedImage =>
    agreedImage(
      images.map((image, n) => ({ machine: idOf(String(n)), image })),
      (machine) => `m${machine[0] ?? ''}`,
    )

  test('is what those know who know it', () => {
    expect(agreed(unknown, made, made)).toEqual(made)
    expect(agreed(unknown, pinned)).toEqual(pinned)
    expect(agreed(unknown)).toEqual(unknown)
    expect(agreed()).toMatchObject({ kind: 'unknown' })
  })

  test('is unknown where two of them made different images of one name', () => {
    const other: ResolvedImage = { kind: 'id', reference: `sha256:${'b'.repeat(64)}` }
    expect(agreed(made, other)).toEqual({
      kind: 'unknown',
      reason: 'm0 and m1 have different images of that name',
    })
  })
})
