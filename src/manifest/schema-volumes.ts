// Volumes of an instance: named volumes, paths of the machine, and memory.
import * as Type from 'typebox'
import { scheduledConsistencies, volumeForms, volumeNamePattern } from '../model/volume.js'
import { defaults } from './defaults.js'
import { backupSchedule } from './schema-life.js'
import { argv, oneOf, quantity, seconds } from './schema-words.js'

/** One step of a path, without what would end it in a unit. */
const step = `(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+`

const bucket = '[a-z0-9](?!.*\\.\\.)[a-z0-9.-]{1,61}[a-z0-9]'
/** One step of the name of an object. */
const keyStep = '(?!\\.{1,2}(?:/|$))[A-Za-z0-9_.!*()+=@~-]+'

const backup = Type.Object(
  {
    schedule: Type.Optional(backupSchedule),
    to: Type.Optional(
      Type.String({
        pattern: `^(?:(?:/${step})+|s3://${bucket}(?:/${keyStep})*)/?$`,
        maxLength: 700,
        expected:
          'an absolute path below /, without a colon, blanks, quotes, \\, . and .., or s3://BUCKET/PREFIX of letters, digits and _.!*()+=@~-',
        description:
          'Destination of scheduled backups: an existing directory on the machine of the volume, or `s3://BUCKET/PREFIX` of an S3-compatible store.',
      }),
    ),
    credentials: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_][A-Za-z0-9_-]*(\\.[A-Za-z0-9_-]+)*$',
        maxLength: 100,
        expected: 'a key of the metadata, which is secret',
        description:
          'For `to: s3://…`: the secret metadata key of the project that holds credentials and address of the store, one variable per line: `AWS_ACCESS_KEY_ID=…`, `AWS_SECRET_ACCESS_KEY=…`, `MARIPOSA_S3_ENDPOINT=…` and the other variables of `volume backup s3://…`.',
        default: defaults.backup.credentials,
      }),
    ),
    keep: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        expected: 'a number from 1 to 100',
        description:
          'Number of complete scheduled backups that are kept. Older ones are deleted once a newer one is complete.',
        default: defaults.backup.keep,
      }),
    ),
    consistency: Type.Optional(
      oneOf(scheduledConsistencies, {
        default: defaults.backup.consistency,
        description:
          'How the instance is treated while a scheduled backup is read, as with `volume backup --consistency`.',
      }),
    ),
    before_backup: Type.Optional(
      argv(
        'Before a backup',
        'Program that runs inside the running instance, with its user and environment, before each backup of the volume is read. If it does not end with status 0, the backup fails. Templates are not allowed; use variables of the environment.',
        [['sh', '-c', 'pg_dumpall --file "$MARIPOSA_VOLUME_DATA/dump.sql"']],
      ),
    ),
    before_backup_timeout: Type.Optional(
      Type.Number({
        ...seconds(1, 86_400),
        description: 'Seconds after which `before_backup` is killed and counts as failed.',
        default: defaults.backup.before_backup_timeout,
      }),
    ),
  },
  {
    additionalProperties: false,
    needs: [],
    expected: 'a map with schedule and to, or with before_backup',
    description:
      'Backups of a named volume of a continuous service: when they are made (`schedule`), the destination (`to`, with `credentials` for an S3-compatible store), the number of backups that are kept (`keep`, default 7) and how the instance is treated (`consistency`, default live). `before_backup` is a program that runs inside the instance before each backup, for at most `before_backup_timeout` (default one hour). docs/volumes.md.',
  },
)

const volume = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        pattern: `^${volumeNamePattern}$`,
        expected:
          'a name of letters, digits, _ and -, at most 63 characters, that begins with a letter or digit',
        description: 'Name of a named volume, unique in the service.',
      }),
    ),
    host: Type.Optional(
      Type.String({
        pattern: `^(?:/|(?:/${step})+/?)$`,
        maxLength: 1_000,
        expected: 'an absolute path, without a colon, blanks, quotes, \\, . and ..',
        description: 'An existing path of the machine.',
      }),
    ),
    tmpfs: Type.Optional(
      Type.Boolean({
        const: true,
        expected: 'true',
        description: 'A directory in memory, empty at each start.',
      }),
    ),
    path: Type.String({
      pattern: `^(?:/${step})+/?$`,
      maxLength: 1_000,
      expected: 'an absolute path below /, without a colon, blanks, quotes, \\, . and ..',
      description: 'Path of the volume in the instance.',
    }),
    readonly: Type.Boolean({
      default: false,
      description: 'Whether the volume is read-only for the instance.',
    }),
    scope: Type.Optional(
      oneOf(['instance', 'service'], {
        default: 'instance',
        description:
          'For a named volume. `instance`: each slot of a continuous service has its own volume. `service`: the instances of the service on one machine share it.',
      }),
    ),
    on_lost: Type.Optional(
      oneOf(['wait', 'fresh'], {
        default: 'wait',
        description:
          'For a named volume of the scope `instance` whose machine is lost. `wait`: the slot waits for the machine. `fresh`: the slot starts on another machine with an empty volume.',
      }),
    ),
    size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1024 ** 2,
        expected: 'a size such as 64M, from 1M to 1T',
        description:
          'Size in MiB. For `tmpfs`: its capacity. For a named volume: the disk space reserved for it on its machine; if it uses more, that is reported, not prevented.',
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
    'Storage for the data of instances: maps, `NAME:PATH[:ro]` for a named volume of the scope `instance`, or `/HOST:PATH[:ro]`. A named volume is created on the machine where an instance first needs it, and outlives instances, versions and the service. `{{ .volume.NAME.path }}` in `command`, `entrypoint` and `environment`, and the variable `MARIPOSA_VOLUME_NAME`, hold the path for the program.',
  default: [],
  examples: [
    ['data:/var/lib/postgresql/data'],
    [{ name: 'uploads', path: '/srv/uploads', scope: 'service' }],
    ['/etc/ssl/certs:/etc/ssl/certs:ro', { tmpfs: true, path: '/tmp', size: '64M' }],
  ],
  loose: [{ type: 'string', pattern: '^[^\\s]+$' }],
})
