// What a deploy warns of says in which file, as what it refuses does.
import { describe, expect, test } from 'vitest'
import { decideDeploy } from '../../src/changes/deploy.js'
import { isProblem } from '../../src/changes/problem.js'
import { defaultSettings as settings } from '../manifest/default-settings.js'
import { project, World } from '../world/world.js'

const text = `compute_type: process
command: serve
environment: {PASSWORD: hunter2}
autoscale: {enable: true, min: 2, max: 3, notify_email: [ops@shop.example]}
`

test('each warning names its file and a line of it', () => {
  const world = new World()
  world.machine('a')
  const sources = [{ file: 'shop/web.yml', text, name: 'web' }]
  const deploy = decideDeploy(world.view, settings, project, { sources }, world.now)
  if (isProblem(deploy)) throw new Error(JSON.stringify(deploy))
  const { warnings } = deploy.response
  expect(warnings.map(({ code }) => code)).toContain('compile/no-mail-server')
  expect(warnings.length).toBeGreaterThan(1)
  for (const { file, line } of warnings) expect([file, line]).toEqual(['shop/web.yml', expect.any(Number)])
})

function warningsOf(
  manifests: readonly string[],
  world = new World(),
): readonly (string | number | undefined)[][] {
  world.machine('a')
  const sources = manifests.map((text, n) => ({ file: `${n}.yml`, text, name: `s${n}` }))
  const deploy = decideDeploy(world.view, settings, project, { sources }, world.now)
  if (isProblem(deploy)) throw new Error(JSON.stringify(deploy))
  return deploy.response.warnings.map(({ code, file, line }) => [code, file, line])
}

describe('what will do nothing is told of:', () => {
  const serve = 'compute_type: process\ncommand: serve\n'
  const run = 'compute_type: process\ncommand: serve\nservice_type: scheduled\n'

  test.each([
    ['R2/1970-01-01T00:00:00Z/PT5S', [['deploy/schedule-over', '0.yml', 4]]],
    ['R/1970-01-01T00:00:00Z/PT5S', []],
    ['R2//PT5S', []],
    ['R0//PT5S', []],
    ['R2/2070-01-01T00:00:00Z/PT5S', []],
    ["'0 3 * * *'", []],
  ])('the schedule %s', (schedule, told) => {
    expect(warningsOf([`${run}schedule: ${schedule}\n`])).toEqual(told)
  })

  test('a trigger on a service that is neither there nor deployed with it', () => {
    const watching = (service: string) => `compute_type: process
command: serve
autoscale: {enable: true, min: 1, max: 3}
triggers:
  - {name: busy, source: service.${service}.containerpilot.x, operator: '>', value: 1, time: 60, action: increment}
`
    expect(warningsOf([watching('nosuch')])).toEqual([['deploy/unknown-source', '0.yml', 5]])
    expect(warningsOf([watching('s1'), `${serve}containerpilot: true\n`])).toEqual([])
    const world = new World()
    world.machine('b')
    world.deploy('compute_type: process\ncommand: [/bin/x]\ncontainerpilot: true\n')
    expect(warningsOf([watching('web')], world)).toEqual([])
  })

  test('a trigger on what its service does not measure', () => {
    const watching = (source: string) =>
      `${serve}triggers:\n  - {name: busy, source: ${source}, operator: '>', value: 1, time: 60, action: increment}\n`
    const silent = [['deploy/silent-source', '0.yml', 4]]
    expect(warningsOf([watching('containerpilot.jobs')])).toEqual(silent)
    expect(warningsOf([`${watching('containerpilot.jobs')}containerpilot: true\n`])).toEqual([])
    for (const source of ['containerpilot.jobs', 'containermonitor.jobs', 'entry.rps']) {
      expect(warningsOf([watching(`service.s1.${source}`), serve])).toEqual(silent)
      const world = new World()
      world.machine('b')
      world.deploy('compute_type: process\ncommand: [/bin/x]\n')
      expect(warningsOf([watching(`service.web.${source}`)], world)).toEqual(silent)
    }
    expect(warningsOf([watching('service.s1.containerpilot|containermonitor.cpu_used'), serve])).toEqual([])
    expect(
      warningsOf([
        watching('service.s1.entry.rps'),
        `${serve}ports: ["0:80"]\nentry: [{host: shop.example}]\n`,
      ]),
    ).toEqual([])
  })
})

test.each([
  ['', 1],
  ['user: root\n', 3],
  ['user: "0:0"\n', 3],
])('a program that would run as root is told of where the daemon is root: %j', (user, line) => {
  const world = new World()
  world.machine('a')
  const manifest = `compute_type: process\ncommand: serve\n${user}`
  const sources = [{ file: 'web.yml', text: manifest, name: 'web' }]
  const told = (asRoot: boolean) => {
    const deploy = decideDeploy(world.view, { ...settings, asRoot }, project, { sources }, world.now)
    if (isProblem(deploy)) throw new Error(JSON.stringify(deploy))
    return deploy.response.warnings.map((one) => [one.code, one.file, one.line])
  }
  expect(told(true)).toEqual([['deploy/runs-as-root', 'web.yml', line]])
  expect(told(false)).toEqual([])
})
