// Variables of other services, through a deploy: what they become, and when they make a new version.
import { describe, expect, test } from 'vitest'
import { type Deploy, decideDeploy } from '../../src/changes/deploy.js'
import { isProblem, type Problem } from '../../src/changes/problem.js'
import { openVersionUnits } from '../../src/compile/version-unit.js'
import { defaultSettings as settings } from '../manifest/default-settings.js'
import { project, World } from '../world/world.js'

const api = 'image: nginx\nports: "8080"\n'
const web = 'image: nginx\nenvironment: ["API={{ .services.api.address }}:{{ .services.api.port }}"]\n'

function decide(world: World, texts: Readonly<Record<string, string>>): Deploy | Problem {
  const sources = Object.entries(texts).map(([name, text]) => ({ file: `${name}.yml`, text, name }))
  return decideDeploy(world.view, settings, project, { sources }, world.now, null)
}

function deploy(world: World, texts: Readonly<Record<string, string>>): Deploy {
  const decided = decide(world, texts)
  if (isProblem(decided)) throw new Error(JSON.stringify(decided))
  world.attempt(decided)
  world.settle()
  return decided
}

function running(): World {
  const world = new World()
  world.machine('a', { drivers: ['docker'] })
  deploy(world, { web, api })
  return world
}

function addressSeen(world: World): readonly string[] {
  return world.live('web').map(({ unit }) => {
    const file = world.view.files.get(world.view.units.get(unit)?.hash ?? '') ?? ''
    return /API=([^\s"]*)/.exec(file)?.[1] ?? ''
  })
}

describe('a service that asks for another', () => {
  test('of the same deploy, whatever comes first', () => {
    expect(addressSeen(running())).toEqual([`api.svc.${project}.cns.mariposa.internal:8080`])
  })

  test('that is there already', () => {
    const world = running()
    deploy(world, { web: `${web}memory: 64M\n` })
    expect(addressSeen(world)).toEqual([`api.svc.${project}.cns.mariposa.internal:8080`])
  })

  test('gets a new version of the same text where the other has other ports, and only there', () => {
    const world = running()
    expect(deploy(world, { web }).response.services).toMatchObject([{ outcome: 'unchanged' }])
    const moved = deploy(world, { web, api: api.replace('8080', '80:8080') })
    expect(moved.response.services.map(({ outcome }) => outcome)).toEqual(['updated', 'updated'])
    expect(addressSeen(world)).toEqual([`api.svc.${project}.mariposa.internal:80`])
  })

  test('is refused where there is none of that name, with the nearest', () => {
    const decided = decide(new World(), { web: web.replaceAll('api', 'apy'), api })
    expect(JSON.stringify(decided)).toContain('template/unknown-service')
    expect(JSON.stringify(decided)).toContain('did you mean services.api.address?')
  })

  test('keeps what it was told where its metadata makes it anew', () => {
    const world = running()
    const [instance] = world.live('web')
    const version = world.view.versions.get(instance?.version ?? '')
    if (version === undefined) throw new Error('there is no version')
    const unitOf = openVersionUnits(settings)
    const unit = unitOf({ ...version, meta: ['x'] }, '', world.view.metaOf(project))
    expect(unit).toMatchObject({ kind: 'unit', hash: version.hash })
  })
})
