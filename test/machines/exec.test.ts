// Programs beside an instance, with the drivers that need a real Docker and a real systemd.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, inject } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { describeExecFaults } from '../e2e/exec-faults.js'
import { describeExecTerminal, type TerminalSite } from '../e2e/exec-terminal.js'
import { describeFollowFaults, type FollowSite } from '../e2e/follow-faults.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { usePairs } from '../e2e/pair.js'
import { testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'
import { insideMachine } from './nspawn.js'

const root = join(import.meta.dirname, '../..')
const program = (): string => join(root, 'dist/mariposa.js')
const enter = (): readonly string[] => inject('systemdMachine').enter

const siteOf = async (host: Host, manifest: string): Promise<TerminalSite> => {
  const daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', manifest))
  return { host, socketPath: host.socketPath, daemons: [daemon] }
}

describe('exec in a container', () => {
  const openHost = hostsOf(
    builtProgram(join(root, 'dist/mariposa.js')),
    onDocker('exec', () => inject('dockerSocket')),
  )
  const manifest = `image: ${testImage}\ncommand: ["/bin/sleep", "10000"]\nstop: {timeout: 1, preservestopped: "no"}\n`
  const open = () => siteOf(openHost(), manifest)
  describeExecFaults(open)
  describeExecTerminal(open, program)
  const openForLogs = async (): Promise<FollowSite> => {
    const host = openHost()
    const daemon = await host.startDaemon()
    const manifestOf = (script: string): string =>
      manifest.replace(/command: .*/, `command: [/bin/sh, -c, ${JSON.stringify(script)}]`)
    return { host, socketPath: host.socketPath, daemons: [daemon], manifestOf }
  }
  describeFollowFaults(openForLogs, { history: false })
})

describe('exec in a container on another machine', () => {
  const pairs = usePairs(() => ({
    driver: 'docker',
    env: { DOCKER_HOST: `unix://${inject('dockerSocket')}` },
  }))
  const open = () =>
    pairs.openAcross(
      `image: ${testImage}\ncommand: ["/bin/sleep", "10000"]\nstop: {timeout: 1, preservestopped: "no"}\n`,
    )
  describeExecFaults(open)
  describeExecTerminal(open, program)
})

describe('exec beside a unit of systemd', () => {
  const openHost = hostsOf(builtProgram(join(insideMachine.project, 'dist/mariposa.js'), enter), () => ({
    driver: 'systemd',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
    makeDir: () => {
      const [command = '', ...words] = [...enter(), 'mktemp', '-d', '/var/tmp/exec-XXXXXX']
      const inside = execFileSync(command, words, { encoding: 'utf8' }).trim()
      return { inside, outside: join(inject('systemdMachine').root, inside) }
    },
  }))
  const manifest =
    'compute_type: process\ncommand: [/bin/sleep, "10000"]\nstop: {timeout: 1, preservestopped: "no"}\n'
  const open = () => siteOf(openHost(), manifest)
  describeExecFaults(open)
  describeExecTerminal(open, program)
})
