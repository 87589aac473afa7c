// `mariposa volume …`
import { type Command, Option } from 'commander'
import type { ListFlags } from './lists.js'
import { addNoun, allProjects, codeOf, duration, type Verb, verb, waitOptions } from './program.js'
import type { RestoreFlags } from './volume-archives.js'
import type { MoveFlags } from './volume-moves.js'
import type { ListVolumesFlags } from './volumes.js'

const volumes = codeOf(() => import('./volumes.js'))
const volumeArchives = codeOf(() => import('./volume-archives.js'))
const volumeBackups = codeOf(() => import('./volume-backups.js'))
const volumeMoves = codeOf(() => import('./volume-moves.js'))

export function addVolumeVerbs(program: Command): void {
  addNoun(
    program,
    'volume',
    ['volumes', 'vol'],
    'data of services that outlives their instances',
    volumeVerbs,
  )
}

/** Options of verbs that read a volume. */
const readOptions = [
  new Option('--consistency <how>', 'state of the instance meanwhile')
    .choices(['live', 'paused', 'stopped'])
    .default('live'),
  new Option(
    '--pause-at-most <duration>',
    'with --consistency paused: time after which the pause ends and the backup fails (default: 60s)',
  ).argParser(duration),
  new Option(
    '--skip-hook',
    'do not run before_backup; without this a volume with that hook is backed up only while an instance runs',
  ),
]

interface ReadFlags {
  readonly consistency: string
  readonly skipHook?: boolean
  /** Milliseconds. */
  readonly pauseAtMost?: number
}

const volumeVerbs: readonly Verb<never>[] = [
  verb<ListVolumesFlags>({
    name: 'list',
    aliases: ['ls'],
    summary: 'list named volumes with their machines and instances; including those of deleted services',
    view: ['columns', 'long', 'quiet'],
    options: [
      new Option('--service <name>', 'only of this service, which may be deleted'),
      new Option('--machine <machine>', 'only on this machine (id, a prefix of it, or hostname)'),
      allProjects,
    ],
    examples: ['mariposa volume list', 'mariposa volumes ls --all-projects --machine north-1 --json'],
    load: volumes(({ listVolumes }, shell, _, flags) => listVolumes(shell, flags)),
  }),
  verb({
    name: 'show',
    aliases: ['get'],
    args: '<volume>',
    summary: 'show a volume, by name, SERVICE.NAME, SERVICE.NAME.SLOT, uuid or a prefix of it',
    view: ['long'],
    examples: ['mariposa volume show db.data', 'mariposa volume show 1f6e7a4c --json'],
    load: volumes(({ showVolume }, shell, [word = '']) => showVolume(shell, word)),
  }),
  verb<ReadFlags>({
    name: 'backup',
    args: '<volume> <to>',
    summary:
      'write the data of a volume to a file, an object (s3://BUCKET/KEY) or standard output (-), as a tar archive compressed with zstd',
    view: ['quiet'],
    options: [...readOptions],
    examples: [
      'mariposa volume backup db.data.0 db.tar.zst --consistency stopped',
      'mariposa volume backup db.data.0 db.tar.zst --consistency paused',
      'mariposa volume backup db.data.0 s3://vault/db/monday.tar.zst',
      'mariposa volume backup db.data.0 - | ssh vault "cat > db.tar.zst"',
    ],
    load: volumeArchives(({ backUpVolume }, shell, [word = '', to = ''], flags) =>
      backUpVolume(shell, word, to, flags),
    ),
  }),
  verb<ListFlags>({
    name: 'backups',
    args: '[volumes...]',
    summary:
      'list scheduled backups, with their results, and the next ones; including those of deleted services',
    view: ['columns', 'long', 'quiet'],
    options: [allProjects],
    examples: ['mariposa volume backups', 'mariposa volume backups db.data.0 --json'],
    load: volumeBackups(({ listVolumeBackups }, shell, words, flags) =>
      listVolumeBackups(shell, words, flags),
    ),
  }),
  verb<RestoreFlags>({
    name: 'restore',
    args: '[from] [volume]',
    summary:
      'restore a backup into a volume, which is created if its slot has none yet; its instance is stopped meanwhile',
    view: ['quiet'],
    options: [
      new Option('--force', 'overwrite a volume that is not empty; without this it is refused'),
      new Option(
        '--sha256 <hex>',
        'SHA-256 of the backup; default: the one in FROM.sha256, if that file exists',
      ),
      new Option(
        '--from-backup <id>',
        'instead of FROM: id of a scheduled backup, as shown by `volume backups`; VOLUME is then by default the volume that was backed up',
      ),
      new Option(
        '--machine <machine>',
        'machine for the new volume, if its slot has none yet; default: the emptiest that can take its instance',
      ),
    ],
    examples: [
      'mariposa volume restore db.tar.zst db2.data.0 --force',
      'mariposa volume restore s3://vault/db/monday.tar.zst db2.data.0 --force',
      'ssh vault "cat db.tar.zst" | mariposa volume restore - db2.data.0 --force',
      'mariposa volume restore --from-backup 3f0c9a51 --force',
      'mariposa volume restore --from-backup 3f0c9a51 db2.data.0 --force',
    ],
    load: volumeArchives(({ restoreVolume }, shell, words, flags) => restoreVolume(shell, words, flags)),
  }),
  verb<ReadFlags & { readonly force?: boolean; readonly machine?: string }>({
    name: 'clone',
    args: '<volume> <to>',
    summary:
      'copy a volume into another one, on the same or another machine; the instance of the target is stopped meanwhile',
    view: ['quiet'],
    options: [
      ...readOptions,
      new Option('--force', 'overwrite a TO that is not empty; without this it is refused'),
      new Option(
        '--machine <machine>',
        'machine for the new volume TO, if its slot has none yet; default: the emptiest that can take its instance',
      ),
    ],
    examples: [
      'mariposa volume clone db.data.0 staging.data.0 --consistency stopped --force',
      'mariposa volume clone db.data.0 staging.data --machine north-2',
    ],
    load: volumeArchives(({ cloneVolume }, shell, [word = '', to = ''], flags) =>
      cloneVolume(shell, word, to, flags),
    ),
  }),
  verb<MoveFlags>({
    name: 'move',
    args: '<volume> [machine]',
    summary:
      'move the volumes of a slot to a machine, by default the emptiest that can take its instance; the instance is stopped until they have arrived',
    view: ['quiet'],
    options: [
      new Option('--cancel', 'cancel a move: the volumes stay where they are'),
      new Option('-d, --detach', 'do not wait until they have arrived'),
      ...waitOptions.filter(({ long }) => long === '--timeout'),
    ],
    examples: [
      'mariposa volume move db.data.0 north-2 --timeout 1h',
      'mariposa volume move db.data.0 --cancel',
    ],
    load: volumeMoves(({ moveVolume }, shell, [word = '', machine], flags) =>
      moveVolume(shell, word, machine, flags),
    ),
  }),
  verb<{ readonly force?: boolean }>({
    name: 'rm',
    aliases: ['delete', 'remove'],
    args: '<volume>',
    summary: 'delete an unused volume with its data permanently',
    view: ['quiet'],
    options: [
      new Option('--force', 'confirm that the data are deleted; without this the command is refused'),
    ],
    examples: ['mariposa volume rm db.data --force', 'mariposa volume rm 1f6e7a4c --force --json'],
    load: volumes(({ removeVolume }, shell, [word = ''], { force = false }) =>
      removeVolume(shell, word, force),
    ),
  }),
]
