// Where a daemon and its commands run inside the machine that real systemd runs.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { inject } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { insideMachine } from './nspawn.js'

/** What enters the machine; asked for when a test runs, since it is started for them. */
const enter = (): readonly string[] => inject('systemdMachine').enter

/** Runs a command in the machine; gives what it printed. */
export function runInMachine(...argv: readonly string[]): string {
  const [command = '', ...words] = [...enter(), ...argv]
  return execFileSync(command, words, { encoding: 'utf8' }).trim()
}

/** Hosts of that machine, for the tests of a file. */
export function hostsOnSystemd(): () => Host {
  return hostsOf(builtProgram(join(insideMachine.project, 'dist/mariposa.js'), enter), () => ({
    driver: 'systemd',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
    makeDir: () => {
      const inside = runInMachine('mktemp', '-d', '/var/tmp/e2e-XXXXXX')
      return { inside, outside: join(inject('systemdMachine').root, inside) }
    },
  }))
}
