// `mariposa store …`
import { type Command, Option } from 'commander'
import { addNoun, codeOf, type Verb, verb } from '../cli/io/program.js'
import type { RemoveFlags } from '../cli/io/store.js'
import { migrateFlags } from './daemon-flags.js'
import type { DaemonFlags } from './options.js'

const store = codeOf(() => import('../cli/io/store.js'))

interface UndoFlags {
  readonly undo?: boolean
  readonly discard?: boolean
}

export function addStoreVerbs(program: Command): void {
  addNoun(program, 'store', ['stores'], 'check, repair or move the records of the cluster', storeVerbs)
}

const storeVerbs: readonly Verb<never>[] = [
  verb({
    name: 'check',
    summary: 'list the records that the daemon cannot read; exit 1 if there are any',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa store check', 'mariposa store check --json'],
    load: store(({ checkStore }, shell) => checkStore(shell)),
  }),
  verb({
    name: 'show',
    aliases: ['get'],
    args: '<key>',
    summary: 'print a record of the store',
    examples: ['mariposa store show units/web.service'],
    load: store(({ showRecord }, shell, [key = '']) => showRecord(shell, key)),
  }),
  verb<RemoveFlags>({
    name: 'rm',
    aliases: ['delete', 'remove'],
    args: '<key...>',
    summary: 'remove records that cannot be read',
    options: [
      new Option('--to <file>', 'write the records to a new file first, as JSON'),
      new Option('--force', 'remove records that can be read as well, by this version or a newer one'),
    ],
    view: ['quiet'],
    examples: [
      'mariposa store rm waiting/web.service',
      'mariposa store rm --to removed.json instances/default/web/00000001',
    ],
    load: store(({ removeRecords }, shell, keys, flags) => removeRecords(shell, keys, flags)),
  }),
  verb({
    name: 'export',
    args: '<file>',
    summary: 'write all records to a new file, or with - to standard output',
    view: ['quiet'],
    examples: ['mariposa store export cluster.export', 'mariposa store export - | gzip > cluster.export.gz'],
    load: store(({ exportStore }, shell, [file = '']) => exportStore(shell, file)),
  }),
  verb<DaemonFlags & UndoFlags>({
    name: 'migrate',
    summary: 'move the records of a stopped daemon to etcd; running programs go on',
    options: [
      ...migrateFlags(),
      new Option('--undo', 'take such a move back: the records of before are in use again'),
      new Option('--discard', 'with --undo: give up what has changed in etcd since'),
    ],
    view: ['quiet'],
    examples: [
      'mariposa store migrate --to etcd://10.0.0.1:2379',
      'mariposa store migrate --to etcds://db1:2379,db2:2379 --etcd-ca-file ca.crt',
      'mariposa store migrate --config /etc/mariposa/mariposa.yml',
      'mariposa store migrate --undo --to etcd://10.0.0.1:2379',
    ],
    load: async (_args, { undo = false, discard = false, ...flags }) => {
      const [{ readDaemonOptions }, { migrate, undoMigrate }, { currentAccount }, { usageError }] =
        await Promise.all([
          import('./options.js'),
          import('./migrate.js'),
          import('../cli/io/shell.js'),
          import('../cli/command-error.js'),
        ])
      if (discard && !undo)
        throw usageError('--discard is only for --undo', 'a move gives nothing up: leave it out')
      const { options } = readDaemonOptions(flags, currentAccount())
      return (shell) => (undo ? undoMigrate(shell, options, discard) : migrate(shell, options))
    },
  }),
]
