// `mariposa meta …`
import { type Command, Option } from 'commander'
import { readCasId } from '../cas-id.js'
import type { ListFlags } from './lists.js'
import type { ImportFlags, RotateFlags, SetFlags } from './meta.js'
import { addNoun, allProjects, codeOf, type Verb, verb } from './program.js'

const meta = codeOf(() => import('./meta.js'))

export function addMetaVerbs(program: Command): void {
  addNoun(
    program,
    'meta',
    ['metadata'],
    'keys and values of a project, for templates: {{ .meta.KEY }}',
    metaVerbs,
  )
}

const cas = new Option('--cas <id>', 'refuse unless the key has this CAS id')

/** The CAS id may follow the value, as in Triton's command line. `hint`: the other possible meaning of a word in that place. */
function withCas<Flags extends { readonly cas?: string }>(
  flags: Flags,
  id: string | undefined,
  hint: string,
): Flags {
  const cas = readCasId(id, flags.cas, hint)
  return cas === undefined ? flags : { ...flags, cas }
}

function countVerb(name: 'incr' | 'decr', alias: string, summary: string): Verb<never> {
  return verb({
    name,
    aliases: [alias],
    args: '<key> [by]',
    summary,
    examples: [`mariposa meta ${name} builds`, `mariposa meta ${alias} builds 10`],
    load: meta(({ countMeta }, shell, [key = '', by = '1']) => countMeta(shell, name, key, by)),
  })
}

const metaVerbs: readonly Verb<never>[] = [
  verb<ListFlags>({
    name: 'list',
    aliases: ['ls'],
    summary: 'list keys, values and CAS ids; secret values are not shown',
    view: ['columns', 'long', 'quiet'],
    options: [allProjects],
    examples: ['mariposa meta list', 'mariposa meta ls -j shop --json'],
    load: meta(({ listMeta }, shell, _, flags) => listMeta(shell, flags)),
  }),
  verb({
    name: 'get',
    aliases: ['show'],
    args: '<key>',
    summary: 'print the value of a key',
    examples: ['mariposa meta get db.host', 'mariposa meta get db.host --json'],
    load: meta(({ getMeta }, shell, [key = '']) => getMeta(shell, key)),
  }),
  verb<SetFlags>({
    name: 'set',
    aliases: ['add', 'create', 'new', 'update'],
    args: '<key> [value] [cas]',
    mayBeEmpty: ['value'],
    summary: 'set a key; instances that are made from now on get the new value',
    view: ['quiet'],
    options: [
      cas,
      new Option(
        '--secret',
        'a secret, never shown; templates may use it in environment, files, headers, and secrets of webhooks and triggers',
      ),
      new Option('--file <file>', 'take the value from a file, or - for standard input'),
    ],
    examples: [
      'mariposa meta set db.host db.example.com',
      'mariposa meta set db.host db2.example.com --cas 1f0b…',
      'mariposa meta set db.password --secret --file - < password.txt',
    ],
    load: async ([key = '', value, id], flags) => {
      const { setMeta } = await import('./meta.js')
      const given = withCas(
        flags,
        id,
        'quote a value with blanks; the CAS id after it is the one that meta get --json prints',
      )
      return (shell) => setMeta(shell, key, value, given)
    },
  }),
  verb<{ readonly cas?: string }>({
    name: 'rm',
    aliases: ['del', 'delete', 'remove'],
    args: '<key> [cas]',
    summary: 'remove a key',
    view: ['quiet'],
    options: [cas],
    examples: ['mariposa meta rm db.host', 'mariposa meta rm db.host --cas 1f0b…'],
    load: async ([key = '', id], flags) => {
      const { removeMeta } = await import('./meta.js')
      const given = withCas(
        flags,
        id,
        'only one key can be removed at a time; the word after it is its CAS id, which meta get --json prints',
      )
      return (shell) => removeMeta(shell, key, given.cas)
    },
  }),
  countVerb('incr', 'increment', 'increment a number; a key that does not exist counts as 0'),
  countVerb('decr', 'decrement', 'decrement a number; a key that does not exist counts as 0'),
  verb<ImportFlags>({
    name: 'import',
    args: '<file>',
    summary: 'set all keys of a file, as one change: YAML, JSON or lines KEY=VALUE (- for standard input)',
    view: ['quiet'],
    options: [
      new Option('--force', 'replace keys that exist already; without this they stay as they are'),
      new Option('--secret', 'all of them are secrets'),
    ],
    examples: ['mariposa meta import settings.yml', 'mariposa meta import --secret --force - < .env'],
    load: meta(({ importMeta }, shell, [file = ''], flags) => importMeta(shell, file, flags)),
  }),
  verb<RotateFlags>({
    name: 'rotate',
    summary:
      'encrypt all secrets, of all projects, with the newest key of the daemon: the last line of its key file',
    view: ['quiet'],
    options: [
      new Option(
        '--lost',
        'a key is lost: make new secrets for webhooks and trigger URLs; set all others again yourself',
      ),
    ],
    examples: ['mariposa meta rotate', 'mariposa meta rotate --lost'],
    load: meta(({ rotateSecrets }, shell, _, flags) => rotateSecrets(shell, flags)),
  }),
]
