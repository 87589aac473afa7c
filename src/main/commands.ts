// All commands of the program: those of the command line, and the daemon, loaded when asked for.
import type { Command } from 'commander'
import { addEventsVerb } from '../cli/io/events-verb.js'
import { addMachineVerbs } from '../cli/io/machine-verbs.js'
import { addMetaVerbs } from '../cli/io/meta-verbs.js'
import { addManifestVerbs, addVersionVerb } from '../cli/io/other-verbs.js'
import { addVerb, createProgram } from '../cli/io/program.js'
import { addProjectVerbs } from '../cli/io/project-verbs.js'
import { addQueueVerbs } from '../cli/io/queue-verbs.js'
import { addScheduleVerbs } from '../cli/io/schedule-verbs.js'
import { addServiceVerbs } from '../cli/io/service-verbs.js'
import { addUnitVerbs } from '../cli/io/unit-verbs.js'
import { addWebhookVerbs } from '../cli/io/webhook-verbs.js'
import { daemonFlags } from './daemon-flags.js'
import type { DaemonFlags } from './options.js'
import { addStoreVerbs } from './store-verbs.js'
import { version } from './version.js'

/** The program with every command. */
export function wholeProgram(): Command {
  const program = createProgram(version)
  addDaemonVerb(program)
  addServiceVerbs(program)
  addProjectVerbs(program)
  addManifestVerbs(program)
  addMetaVerbs(program)
  addScheduleVerbs(program)
  addWebhookVerbs(program)
  addQueueVerbs(program)
  addMachineVerbs(program)
  addUnitVerbs(program)
  addEventsVerb(program)
  addStoreVerbs(program)
  addVersionVerb(program, version)
  return program
}

function addDaemonVerb(parent: Command): void {
  addVerb<DaemonFlags>(parent, {
    name: 'daemon',
    aliases: ['up'],
    summary: 'run engine, agent and API on this machine',
    options: daemonFlags(),
    examples: [
      'mariposa daemon',
      'mariposa daemon --data-dir ./data --listen unix:./data/mariposa.sock',
      'mariposa up --listen tcp://127.0.0.1:7070 --metadata region=north,disk=ssd',
      'mariposa daemon --config /etc/mariposa/mariposa.yml',
    ],
    load: async (_args, flags) => {
      const [
        { readDaemonOptions },
        { takeInheritedSockets },
        { runDaemon },
        { currentAccount, printWarnings },
      ] = await Promise.all([
        import('./options.js'),
        import('./inherited-sockets.js'),
        import('./daemon.js'),
        import('../cli/io/shell.js'),
      ])
      return async (shell) => {
        const { options, warnings } = readDaemonOptions(
          flags,
          currentAccount(),
          takeInheritedSockets(process.env, process.pid),
        )
        await printWarnings(shell, warnings, [])
        return runDaemon(options)
      }
    },
  })
}
