// All commands of the program: the verbs of the command line, and the daemon. Their code is loaded when they are called.
import type { Command } from 'commander'
import { addCompletionVerbs } from '../cli/io/completion-verbs.js'
import { addDiscoveryVerbs } from '../cli/io/discovery-verbs.js'
import { addDnsVerbs } from '../cli/io/dns-verbs.js'
import { addEntryVerbs } from '../cli/io/entry-verbs.js'
import { addEventsVerb } from '../cli/io/events-verb.js'
import { addImageVerbs } from '../cli/io/image-verbs.js'
import { addMachineVerbs } from '../cli/io/machine-verbs.js'
import { addManifestVerbs, addVersionVerb } from '../cli/io/manifest-verbs.js'
import { addMetaVerbs } from '../cli/io/meta-verbs.js'
import { addVerb, createProgram } from '../cli/io/program.js'
import { addProjectVerbs } from '../cli/io/project-verbs.js'
import { addQueueVerbs } from '../cli/io/queue-verbs.js'
import { addRegistryVerbs } from '../cli/io/registry-verbs.js'
import { addScheduleVerbs } from '../cli/io/schedule-verbs.js'
import { addServiceVerbs } from '../cli/io/service-verbs.js'
import { addTopVerb } from '../cli/io/top-verb.js'
import { addUnitVerbs } from '../cli/io/unit-verbs.js'
import { addVolumeVerbs } from '../cli/io/volume-verbs.js'
import { addWebhookVerbs } from '../cli/io/webhook-verbs.js'
import { daemonFlags } from './daemon-flags.js'
import type { DaemonFlags } from './options.js'
import { addSimulateVerb } from './simulate-verb.js'
import { addStoreVerbs } from './store-verbs.js'
import { version } from './version.js'

/** The program with every command. A command gets its options when it is called. */
export function everyCommand(): Command {
  const program = createProgram(version)
  addDaemonVerb(program)
  addServiceVerbs(program)
  addProjectVerbs(program)
  addManifestVerbs(program)
  addMetaVerbs(program)
  addScheduleVerbs(program)
  addRegistryVerbs(program)
  addImageVerbs(program)
  addDnsVerbs(program)
  addDiscoveryVerbs(program)
  addEntryVerbs(program)
  addWebhookVerbs(program)
  addQueueVerbs(program)
  addMachineVerbs(program)
  addVolumeVerbs(program)
  addUnitVerbs(program)
  addEventsVerb(program)
  addTopVerb(program)
  addStoreVerbs(program)
  addSimulateVerb(program)
  addCompletionVerbs(program)
  addVersionVerb(program, version)
  return program
}

/** Whether a command goes on when its terminal is closed. */
export function isDaemonVerb(command: Command): boolean {
  return command.name() === 'daemon' && command.parent?.parent === null
}

function addDaemonVerb(parent: Command): void {
  addVerb<DaemonFlags>(parent, {
    name: 'daemon',
    aliases: ['up'],
    mayBeEmpty: 'all',
    summary: 'run engine, agent and API on this machine',
    options: daemonFlags,
    examples: [
      'mariposa daemon',
      'mariposa daemon --data-dir ./data --listen unix:./data/mariposa.sock',
      'mariposa up --listen tcp://127.0.0.1:7070 --metadata region=north,disk=ssd',
      'mariposa daemon --config /etc/mariposa/mariposa.yml',
      'mariposa daemon --store etcd://10.0.0.1:2379 --entry role=edge',
    ],
    load: async (_args, flags) => {
      const { keepHeapSmall } = await import('./heap.js')
      keepHeapSmall()
      const [
        { readDaemonOptions },
        { takeInheritedSockets },
        { runDaemon },
        { checkTls },
        { currentAccount, printWarnings },
      ] = await Promise.all([
        import('./options.js'),
        import('./inherited-sockets.js'),
        import('./daemon.js'),
        import('./tls-check.js'),
        import('../cli/io/shell.js'),
      ])
      return async (shell) => {
        const inherited = takeInheritedSockets(process.env, process.pid)
        const read = () => readDaemonOptions(flags, currentAccount(), inherited)
        const { options, warnings } = read()
        await printWarnings(shell, warnings, [])
        checkTls(options.access, Date.now())
        return runDaemon(options, () => read().options)
      }
    },
  })
}
