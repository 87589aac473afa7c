// What a deploy warns of says in which file, as what it refuses does.
import { expect, test } from 'vitest'
import { decideDeploy } from '../../src/api/deploy.js'
import { isProblem } from '../../src/api/problem.js'
import { defaultSettings as settings } from '../../src/manifest/settings.js'
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
