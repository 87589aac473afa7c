// A daemon whose program is taken away while it runs, as an update does, goes on: what it needs then for the first time it has.
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, inject, it } from 'vitest'
import { paths } from '../../src/contract/contract.js'
import { builtProgram, useProgram } from '../cli/program.js'
import { askedOver, hostsOf } from '../e2e/host.js'
import { startSmtpReceiver } from '../notify/smtp-receiver.js'
import { removeDir } from '../remove-dir.js'

const dir = mkdtempSync(join(tmpdir(), 'mariposa-replaced-'))
const program = join(dir, 'dist')
const packages = join(dir, 'node_modules')
const dockerSocket = join(dir, 'docker.sock')
const makeDir = () => {
  const home = mkdtempSync(join(tmpdir(), 'mariposa-e2e-'))
  return { inside: home, outside: home }
}
const host = hostsOf(builtProgram(join(program, 'mariposa.js')), () => ({
  driver: 'process',
  env: { DOCKER_HOST: `unix://${dockerSocket}` },
  makeDir,
}))
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const sleeper = (more = '') => `compute_type: process
command: [/bin/sleep, "3000"]
${more}`
const notifying = sleeper('autoscale: {enable: true, min: 2, max: 3, notify_email: [ops@shop.example]}\n')

it('describes its API, sends mails and takes Docker into use when its files are gone', async () => {
  cpSync(dirname(inject('program')), program, { recursive: true })
  symlinkSync(join(import.meta.dirname, '../../node_modules'), packages)
  ends.push(() => removeDir(dir))
  const mails = await startSmtpReceiver()
  ends.push(() => mails.close())
  const here = host()
  const options = [
    ...['--driver', 'docker'],
    ...['--smtp', `smtp://127.0.0.1:${mails.port}`, '--smtp-from', 'mariposa@shop.example'],
  ]
  const daemon = await here.startDaemon(...options)
  // The supervisor is a program of its own, which the first unit starts.
  await here.done('service', 'deploy', here.file('first.yml', sleeper()))
  await daemon.said('waiting for Docker')
  removeDir(program)
  rmSync(packages)

  const docker = createServer(answerAsDocker)
  await new Promise<void>((resolve) => docker.listen(dockerSocket, resolve))
  ends.push(() => docker.close().closeAllConnections())
  await daemon.said('driver docker connected')
  const described = await askedOver(here.socketPath, paths.openapi)
  expect([described.status, JSON.parse(described.text)]).toMatchObject([200, { openapi: '3.1.0' }])
  const env = { MARIPOSA_ENDPOINT: here.endpoint }
  const deployed = await useProgram().run(['service', 'deploy', here.file('web.yml', notifying)], { env })
  expect(deployed.code, deployed.stderr).toBe(0)
  await mails.until(({ length }) => length > 0)
  expect(mails.mails[0]?.to).toEqual(['ops@shop.example'])
})

/** A Docker that has nothing. */
function answerAsDocker({ url = '' }: IncomingMessage, response: ServerResponse): void {
  if (url.includes('/events')) return void response.writeHead(200).flushHeaders()
  const isList = /\/(containers|images)\/json/.test(url)
  response.setHeader('content-type', 'application/json')
  response.end(isList ? '[]' : '{"ApiVersion":"1.41","ID":"none","Volumes":[]}')
}
