// Files that are written into an instance before it starts.
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
    'Path of the file in the instance: absolute, or relative to the directory in `{{ .files.dir }}`.',
})

const mode = Type.String({
  fixed: true,
  pattern: fileModePattern,
  expected: 'permissions in octal such as 0440, without setuid, setgid and the sticky bit',
  description: 'Permissions of the file: default 0444, for a secret 0400.',
  loose: [{ type: ['string', 'number'] }],
})

const owner = Type.String({
  pattern: fileOwnerPattern,
  expected: 'user or user:group, each a name or a number',
  description: 'Owner of the file; default: the user of the instance.',
  loose: [{ type: ['string', 'number'] }],
})

const secret = Type.Boolean({
  description: 'Whether the file is a secret; a file that contains a secret of the metadata always is one.',
})

const template = Type.String({
  secret: true,
  maxLength: fileAtMost,
  expected: `a text of at most ${fileAtMost} characters`,
  description:
    'Content of the file, with templates as in `environment`. Alternatives: `content`, a text without templates, and `meta`, the value of a metadata key.',
  loose: [anyScalar],
})

const source = Type.String({
  fixed: true,
  pattern: sourcePathPattern,
  maxLength: filePathAtMost,
  expected: 'a path below the directory of the manifest, without a colon, blanks, quotes, \\, . and ..',
  description:
    'Instead of `template`: a file below the directory of the manifest, relative to that directory. Its content is part of the version.',
  loose: [{ type: 'string', pattern: '^\\./' }],
})

const onChange = Type.Object(
  {
    signal: Type.Optional(
      oneOf([...changeSignals], {
        description: 'Signal sent to the program.',
        loose: [{ enum: changeSignals.map((name) => name.slice('SIG'.length)) }],
      }),
    ),
    restart: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxScale,
        expected: `a whole number from 1 to ${maxScale}`,
        description: 'Number of instances that are replaced at a time.',
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
      'What happens when a metadata key that the file uses changes: `none` leaves the file as it is, `{signal: HUP}` rewrites the file and signals the program, `restart` replaces the instances one at a time, `{restart: 3}` three at a time.',
    loose: [{ enum: ['none', 'restart'] }],
  },
)

/** Without descriptions, which the canonical form has already. */
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
          content: { ...anyScalar, description: 'Instead of `template`: the content, without templates.' },
          meta: {
            type: 'string',
            description: 'Instead of `template`: the metadata key whose value is the content.',
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
    'Files that are written before an instance starts, and removed with it. Each has a `path` and one of `content` (a text), `template` (a text with templates), `source` (a file beside the manifest) and `meta` (a metadata key).',
  default: [],
  examples: [
    [{ path: '/etc/nginx/conf.d/site.conf', template: 'server { server_name {{ .meta.domain }}; }' }],
    [{ path: '/run/secrets/tls.key', meta: 'tls-key', mode: '0400', owner: '101' }],
  ],
  loose: [file],
})

/** A short form of `files`: metadata keys as files below `/run/secrets`. */
export const secretsSchema = {
  title: 'Secrets as files',
  description:
    'Metadata keys whose values are files in an instance: `KEY` at `/run/secrets/KEY`, `{meta: KEY, name: NAME}` at `/run/secrets/NAME`. Short for `{path: /run/secrets/NAME, meta: KEY, secret: true}` under `files`, which is the canonical form.',
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
          meta: { type: 'string', description: 'The metadata key.' },
          name: { type: 'string', description: 'Name of the file; default: the key.' },
        },
        additionalProperties: false,
      },
    ],
  },
}
