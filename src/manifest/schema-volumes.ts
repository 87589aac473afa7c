// Where an instance keeps data, and what it sees of its machine.
import * as Type from 'typebox'
import { scheduledConsistencies, volumeForms, volumeNamePattern } from '../model/volume.js'
import { defaults } from './defaults.js'
import { backupSchedule } from './schema-life.js'
import { argv, oneOf, quantity, seconds } from './schema-words.js'

/** One step of a path, without what would end it in a unit. */
const step = `(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+`

const backup = Type.Object(
  {
    schedule: Type.Optional(backupSchedule),
    to: Type.Optional(
      Type.String({
        pattern: `^(?:/${step})+/?$`,
        maxLength: 900,
        expected: 'an absolute path below /, without a colon, blanks, quotes, \\, . and ..',
        description:
          'Where backups by `schedule` go: a directory of the machine of the volume, which has to be there.',
      }),
    ),
    keep: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        expected: 'a number from 1 to 100',
        description:
          'How many whole backups by `schedule` are kept. Older ones are deleted once a newer one is whole.',
        default: defaults.backup.keep,
      }),
    ),
    consistency: Type.Optional(
      oneOf(scheduledConsistencies, {
        default: defaults.backup.consistency,
        description:
          'What becomes of the instance while a backup by `schedule` is read, as `volume backup --consistency` says it.',
      }),
    ),
    before_backup: Type.Optional(
      argv(
        'Before a backup',
        'Runs inside the running instance, as its user and with its environment, before each backup of the volume is read; one that does not end with status 0 fails the backup. Without templates: what it needs is in its environment.',
        [['sh', '-c', 'pg_dumpall --file "$MARIPOSA_VOLUME_DATA/dump.sql"']],
      ),
    ),
    before_backup_timeout: Type.Optional(
      Type.Number({
        ...seconds(1, 86_400),
        description: 'Seconds that `before_backup` may take before it is killed and has failed.',
        default: defaults.backup.before_backup_timeout,
      }),
    ),
  },
  {
    additionalProperties: false,
    needs: [],
    expected: 'a map with schedule and to, or with before_backup',
    description:
      'Of a named volume of a continuous service: when it is backed up by itself (`schedule`), where to (`to`), how many backups are kept (`keep`: 7) and what becomes of the instance (`consistency`: live); and what each backup of it does first: `before_backup` is a program that runs inside the instance, for at most `before_backup_timeout` (an hour without it). docs/volumes.md.',
  },
)

const volume = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        pattern: `^${volumeNamePattern}$`,
        expected: 'a name of letters, digits, _ and -, at most 63 characters',
        description: 'Of a named volume: its name, unique in the service.',
      }),
    ),
    host: Type.Optional(
      Type.String({
        pattern: `^(?:/|(?:/${step})+/?)$`,
        maxLength: 1_000,
        expected: 'an absolute path, without a colon, blanks, quotes, \\, . and ..',
        description: 'A path of the machine, which has to be there.',
      }),
    ),
    tmpfs: Type.Optional(
      Type.Boolean({ const: true, expected: 'true', description: 'Memory, empty at each start.' }),
    ),
    path: Type.String({
      pattern: `^(?:/${step})+/?$`,
      maxLength: 1_000,
      expected: 'an absolute path below /, without a colon, blanks, quotes, \\, . and ..',
      description: 'Where the instance finds it.',
    }),
    readonly: Type.Boolean({ default: false, description: 'Whether the instance may only read it.' }),
    scope: Type.Optional(
      oneOf(['instance', 'service'], {
        default: 'instance',
        description:
          'Of a named volume. `instance`: each slot of a continuous service has one of its own. `service`: the instances of the service on a machine share it.',
      }),
    ),
    on_lost: Type.Optional(
      oneOf(['wait', 'fresh'], {
        default: 'wait',
        description:
          'Of a named volume of the scope `instance`, once its machine is lost. `wait`: its slot waits for the machine. `fresh`: the slot begins anew on another machine, with an empty volume.',
      }),
    ),
    size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1024 ** 2,
        expected: 'a size such as 64M, from 1M to 1T',
        description:
          'In MiB. Of `tmpfs`: how much it holds. Of a named volume: how much of the disk of its machine is for it alone; what goes beyond is told, and not stopped.',
        loose: [quantity],
      }),
    ),
    backup: Type.Optional(backup),
  },
  {
    additionalProperties: false,
    needs: ['path'],
    aliases: { read_only: 'readonly' },
    expected: volumeForms,
    loose: [{ type: 'string', pattern: '^[^\\s]+$' }],
  },
)

export const volumes = Type.Array(volume, {
  maxItems: 100,
  expected: 'a list of volumes, at most 100',
  title: 'Volumes',
  description:
    'Where the instances keep data: maps, `NAME:PATH[:ro]` for a named volume of the scope `instance`, or `/HOST:PATH[:ro]`. A named volume is made on the machine where an instance first needs it, and outlives instances, versions and the service. `{{ .volume.NAME.path }}` in `command`, `entrypoint` and `environment`, and the variable `MARIPOSA_VOLUME_NAME`, say where the program finds it.',
  default: [],
  examples: [
    ['data:/var/lib/postgresql/data'],
    [{ name: 'uploads', path: '/srv/uploads', scope: 'service' }],
    ['/etc/ssl/certs:/etc/ssl/certs:ro', { tmpfs: true, path: '/tmp', size: '64M' }],
  ],
  loose: [{ type: 'string', pattern: '^[^\\s]+$' }],
})
