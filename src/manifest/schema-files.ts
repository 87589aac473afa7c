// Files that an instance finds when it starts.
import * as Type from 'typebox'
import {
  changeSignals,
  fileAtMost,
  fileModePattern,
  fileOwnerPattern,
  filePathAtMost,
  filePathPattern,
  sourcePathPattern,
} from '../model/arriving-file.js'
import { maxScale } from '../model/service.js'
import { fileForms } from './forms.js'
import { anyScalar, oneOf } from './schema-words.js'

const path = Type.String({
  fixed: true,
  pattern: filePathPattern,
  maxLength: filePathAtMost,
  expected: 'a path without a colon, blanks, quotes, \\, . and ..',
  description:
    'Where the instance finds it: absolute, or relative to the directory that `{{ .files.dir }}` stands for.',
})

const mode = Type.String({
  fixed: true,
  pattern: fileModePattern,
  expected: 'permissions in octal such as 0440, without setuid, setgid and the sticky bit',
  description: 'Its permissions: 0444, of a secret 0400.',
  loose: [{ type: ['string', 'number'] }],
})

const owner = Type.String({
  pattern: fileOwnerPattern,
  expected: 'user or user:group, each a name or a number',
  description: 'Whom it belongs to: as whom the instance runs, unless it is said.',
  loose: [{ type: ['string', 'number'] }],
})

const secret = Type.Boolean({
  description: 'Whether it is a secret; what has a secret of the metadata in it is one anyway.',
})

const template = Type.String({
  secret: true,
  maxLength: fileAtMost,
  expected: `a text of at most ${fileAtMost} characters`,
  description:
    'What it holds, with templates filled in as in `environment`. `content` is a text as it is, `meta` the value of a key.',
  loose: [anyScalar],
})

const source = Type.String({
  fixed: true,
  pattern: sourcePathPattern,
  maxLength: filePathAtMost,
  expected: 'a path below the directory of the manifest, without a colon, blanks, quotes, \\, . and ..',
  description:
    'In place of `template`: a file of the directory that the manifest is in, relative to it. What it holds is part of the version.',
  loose: [{ type: 'string', pattern: '^\\./' }],
})

const onChange = Type.Object(
  {
    signal: Type.Optional(
      oneOf([...changeSignals], {
        description: 'What the program is sent.',
        loose: [{ enum: changeSignals.map((name) => name.slice('SIG'.length)) }],
      }),
    ),
    restart: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxScale,
        expected: `a whole number from 1 to ${maxScale}`,
        description: 'How many instances are replaced at a time.',
      }),
    ),
  },
  {
    additionalProperties: false,
    needs: [],
    minProperties: 1,
    maxProperties: 1,
    expected: 'none, restart, or a map with signal or restart',
    description:
      'What follows when a key of the metadata changes that the file reads: `none` leaves the file as it is, `{signal: HUP}` writes it anew and tells the program, `restart` replaces the instances one at a time, `{restart: 3}` three at a time.',
    loose: [{ enum: ['none', 'restart'] }],
  },
)

/** What is said of them, the canonical form says already. */
const undescribed = Object.fromEntries(
  Object.entries({ path, mode, owner, secret, on_change: onChange }).map(([key, schema]) => [
    key,
    { ...schema, description: '' },
  ]),
)

const file = Type.Object(
  {
    path,
    template: Type.Optional(template),
    source: Type.Optional(source),
    mode: Type.Optional(mode),
    owner: Type.Optional(owner),
    secret: Type.Optional(secret),
    on_change: Type.Optional(onChange),
  },
  {
    additionalProperties: false,
    needs: ['path'],
    expected: fileForms,
    loose: [
      {
        type: 'object',
        required: ['path'],
        properties: {
          ...undescribed,
          content: { ...anyScalar, description: 'In place of `template`: what it holds, as it is.' },
          meta: {
            type: 'string',
            description: 'In place of `template`: the key of the metadata whose value it holds.',
          },
        },
        anyOf: [{ required: ['content'] }, { required: ['meta'] }],
        additionalProperties: false,
      },
    ],
  },
)

export const files = Type.Array(file, {
  maxItems: 100,
  expected: 'a list of files, at most 100',
  title: 'Files',
  description:
    'Files that an instance finds when it starts, and that go with it. Each has a `path` and one of `content` (a text as it is), `template` (a text with templates), `source` (a file beside the manifest) and `meta` (a key of the metadata).',
  default: [],
  examples: [
    [{ path: '/etc/nginx/conf.d/site.conf', template: 'server { server_name {{ .meta.domain }}; }' }],
    [{ path: '/run/secrets/tls.key', meta: 'tls-key', mode: '0400', owner: '101' }],
  ],
  loose: [file],
})

/** What `files` may say as well: keys of the metadata as files below `/run/secrets`. */
export const secretsSchema = {
  title: 'Secrets as files',
  description:
    'Keys of the metadata whose values an instance finds as files: `KEY` at `/run/secrets/KEY`, `{meta: KEY, name: NAME}` at `/run/secrets/NAME`. It says the same as `{path: /run/secrets/NAME, meta: KEY, secret: true}` under `files`, which is where it is kept.',
  examples: [['db-password', { meta: 'tls.key', name: 'key.pem' }]],
  type: 'array',
  maxItems: 100,
  items: {
    anyOf: [
      { type: 'string' },
      {
        type: 'object',
        required: ['meta'],
        properties: {
          meta: { type: 'string', description: 'The key of the metadata.' },
          name: { type: 'string', description: 'The name of the file; without it the key.' },
        },
        additionalProperties: false,
      },
    ],
  },
}
