// Programs that run once as instances of a service, with the driver that needs a real systemd.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { describeRunOnce } from '../e2e/run-once.js'
import { insideMachine } from './nspawn.js'

const enter = (): readonly string[] => inject('systemdMachine').enter
const stop = 'stop: {timeout: 1, preservestopped: "no"}\nenvironment: {GREETING: hello, WHO: world}\n'

const deployed = async (host: Host, manifest: string): Promise<Host> => {
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', manifest))
  return host
}

describe('service run with systemd', () => {
  const openHost = hostsOf(builtProgram(join(insideMachine.project, 'dist/mariposa.js'), enter), () => ({
    driver: 'systemd',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', NODE_EXTRA_CA_CERTS: '' },
    makeDir: () => {
      const [command = '', ...words] = [...enter(), 'mktemp', '-d', '/var/tmp/run-XXXXXX']
      const inside = execFileSync(command, words, { encoding: 'utf8' }).trim()
      return { inside, outside: join(inject('systemdMachine').root, inside) }
    },
  }))
  const manifest = `compute_type: process\ncommand: [/bin/sleep, "10000"]\n${stop}`
  describeRunOnce(() => deployed(openHost(), manifest))

  it('holds the program to the limits of the service, in its control group', async () => {
    const limits = 'ulimits: {nofile: {soft: 77, hard: 88}}\ncap_drop: [ALL]\n'
    const host = await deployed(openHost(), manifest + limits)
    const script = 'ulimit -Sn; ulimit -Hn; grep CapBnd /proc/self/status; cat /proc/self/cgroup'
    const { stdout } = await host.done('service', 'run', 'web', '--', 'sh', '-c', script)
    expect(stdout).toMatch(/^77\n88\nCapBnd:\s+0+\n/)
    expect(stdout).toContain('web.v1@2.service')
  })
})
