// Whatever makes instances of a service with an entry waits for the entry as well, and nothing else asks for it.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import type { TaskProgress } from '../../src/contract/contract.js'
import { removeDir } from '../remove-dir.js'
import { aDeployed, aLook, anInstance, aTask } from './bodies.js'
import { useProgram } from './program.js'
import { type Answer, progress, respond, type SpeakingDaemon, startDaemon } from './speaking-daemon.js'

const program = useProgram()
const dir = mkdtempSync(join(tmpdir(), 'mariposa-entry-'))
const web = join(dir, 'web.yml')
writeFileSync(web, 'image: nginx\n')
afterAll(() => removeDir(dir))
const open: SpeakingDaemon[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((daemon) => daemon.close()))
})

const entryPath = '/v1/projects/default/entry'
const services = '/v1/projects/default/services/web'
const begun = { tasks: [aTask()] }
const route = (ready: boolean) => ({
  ...{ host: 'shop.example', path: '/', tcp: null, service: 'web', redirect: null },
  upstreams: [{ instance: 'web-1', address: '10.0.0.1:80', state: 'serving', reason: null }],
  machines: [{ id: 'a', hostname: 'm1', ready }],
})

/** A daemon whose entry serves the route with the third look at it. */
async function daemonOf(look: Partial<TaskProgress>, answers: Readonly<Record<string, Answer>>) {
  let looks = 0
  const daemon = await startDaemon({
    ...answers,
    'GET /v1/tasks/task-1/progress': progress(
      aLook({ state: 'completed' }, { done: 1, instances: [anInstance()], ...look }),
    ),
    [`GET ${entryPath}`]: (_asked, response) => {
      looks += 1
      respond(response, 200, [route(looks > 2)])
    },
  })
  open.push(daemon)
  return daemon
}

const changes = [
  ['deploy', ['service', 'deploy', web], 'POST /v1/projects/default/deploy'],
  ['start', ['service', 'start', 'web'], `POST ${services}/start`],
  ['revert', ['service', 'revert', 'web', '1'], `POST ${services}/revert`],
  ['reprovision', ['service', 'reprovision', 'web'], `POST ${services}/reprovision`],
  ['scale', ['service', 'scale', 'web', '1'], 'POST /v1/projects/default/scale'],
  ['start of the project', ['project', 'start'], 'POST /v1/projects/default/start'],
] as const

const answerTo = (name: string, entry: object) =>
  name === 'deploy' ? { services: [aDeployed(entry)], warnings: [] } : begun

it.each(changes)('%s waits until the entry serves a service that has one', async (name, words, path) => {
  const daemon = await daemonOf({ entry: true }, { [path]: answerTo(name, { entry: true }) })
  const { code, stderr } = await program.run([...words, '--endpoint', daemon.endpoint])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(daemon.asked.filter((asked) => asked.path === entryPath).length).toBe(3)
})

it.each(changes)('%s does not ask for the entry of a service without', async (name, words, path) => {
  const daemon = await daemonOf({}, { [path]: answerTo(name, {}) })
  const { code } = await program.run([...words, '--endpoint', daemon.endpoint])
  expect(code).toBe(0)
  expect(daemon.asked.map((asked) => asked.path)).not.toContain(entryPath)
})
