// `mariposa store …`
import type { Command } from 'commander'
import { addNoun, addVerb } from '../cli/io/program.js'
import { migrateFlags } from './daemon-flags.js'
import type { DaemonFlags } from './options.js'

export function addStoreVerbs(program: Command): void {
  const store = addNoun(program, 'store', ['stores'], 'check or move the records of the cluster')
  addVerb(store, {
    name: 'check',
    summary: 'name the records that the daemon cannot read; exit 1 where there are any',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa store check', 'mariposa store check --json'],
    load: async () => {
      const { checkStore } = await import('../cli/io/store.js')
      return checkStore
    },
  })
  addVerb<DaemonFlags>(store, {
    name: 'migrate',
    summary: 'move the records of a stopped daemon to etcd; what runs goes on running',
    options: migrateFlags(),
    view: ['quiet'],
    examples: [
      'mariposa store migrate --to etcd://10.0.0.1:2379',
      'mariposa store migrate --to etcds://10.0.0.1:2379,10.0.0.2:2379 --etcd-ca-file ca.crt',
      'mariposa store migrate --config /etc/mariposa/mariposa.yml',
    ],
    load: async (_args, flags) => {
      const [{ readDaemonOptions }, { migrate }, { currentAccount }] = await Promise.all([
        import('./options.js'),
        import('./migrate.js'),
        import('../cli/io/shell.js'),
      ])
      return (shell) => migrate(shell, readDaemonOptions(flags, currentAccount()).options)
    },
  })
}
