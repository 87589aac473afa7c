// The whole path with the drivers that need a real Docker and a real systemd.
import { join } from 'node:path'
import { inject, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { playDeafScenario } from '../e2e/deaf-scenario.js'
import { ask, hostPort, hostsOf } from '../e2e/host.js'
import { describeJourney } from '../e2e/journey.js'
import { testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'
import { insideMachine } from './nspawn.js'
import { hostsOnSystemd, runInMachine } from './systemd-place.js'

const root = join(import.meta.dirname, '../..')
const server =
  'mkdir -p /tmp/www && echo "$VERSION" > /tmp/www/index.html && echo serving && exec httpd -f -p 8080 -h /tmp/www'

const openDockerHost = hostsOf(
  builtProgram(join(root, 'dist/mariposa.js')),
  onDocker('docker-e2e', () => inject('dockerSocket')),
)

describeJourney('docker', {
  openHost: openDockerHost,
  manifest: (version) => `image: ${testImage}
command: ["/bin/sh", "-c", ${JSON.stringify(server)}]
environment: {VERSION: ${version}}
ports: [8080]
cns: {ttl: 1}
stop: {timeout: 1, preservestopped: "no"}
healthchecks:
  - {type: http, port: 8080, path: /, poll: 1, timeout: 1}
  - {type: command, command: ["/bin/true"], poll: 2, timeout: 2}
`,
  ask: (instance) => ask(hostPort(instance)),
  kill: ({ pid }) => process.kill(pid ?? 0, 'SIGKILL'),
  impossible: { manifest: 'image: mariposa-no-such-image:1\n', said: 'mariposa-no-such-image' },
})

const program = [
  "const server = require('http').createServer((request, answer) => answer.end(process.env.VERSION))",
  "server.listen(Number(process.env.PORT), () => console.log('serving'))",
].join('; ')

const openSystemdHost = hostsOnSystemd()

describeJourney('systemd', {
  openHost: openSystemdHost,
  manifest: (version) => `compute_type: process
command: [${insideMachine.node}, "-e", ${JSON.stringify(program)}]
environment: {VERSION: ${version}}
ports: ["0:8080"]
cns: {ttl: 0}
stop: {timeout: 2, preservestopped: "no"}
healthchecks:
  - {type: http, port: 8080, path: /, poll: 1, timeout: 1}
`,
  ask: (instance) => ask(hostPort(instance)),
  kill: ({ pid }) => {
    runInMachine('kill', '-KILL', String(pid))
  },
  // Which one it is says systemd's own line, which the journal may have only a moment later.
  impossible: {
    manifest: 'compute_type: process\ncommand: [/no/such/program]\n',
    said: 'its program is not there or cannot be executed',
  },
})

test('a deploy of a smaller stop.timeout kills what is stopping already under Docker', async () => {
  await playDeafScenario(openDockerHost(), `image: ${testImage}\n`)
})

test('a deploy of a smaller stop.timeout kills what is stopping already under systemd', async () => {
  await playDeafScenario(openSystemdHost(), 'compute_type: process\n')
})
