// Where a daemon and its commands run inside the machine that real systemd runs.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { inject } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { insideMachine } from './nspawn.js'
import type { MachineHandle } from './systemd-host.js'

/** The machine of all tests; asked for when a test runs, since it is started for them. */
const shared = (): MachineHandle => inject('systemdMachine')

/** Runs a command in the machine; gives what it printed. */
export function runInMachine(...argv: readonly string[]): string {
  return runIn(shared(), argv)
}

/** Hosts of that machine, or of another one, for the tests of a file. */
export function hostsOnSystemd(machine = shared): () => Host {
  const program = join(insideMachine.project, 'dist/mariposa.js')
  return hostsOf(
    builtProgram(program, () => machine().enter),
    () => ({
      driver: 'systemd',
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
      makeDir: () => {
        const inside = runIn(machine(), ['mktemp', '-d', '/var/tmp/e2e-XXXXXX'])
        return { inside, outside: join(machine().root, inside) }
      },
    }),
  )
}

function runIn({ enter }: MachineHandle, argv: readonly string[]): string {
  const [command = '', ...words] = [...enter, ...argv]
  return execFileSync(command, words, { encoding: 'utf8' }).trim()
}
