// How the world reaches a service: what the entry serves for it.
import * as Type from 'typebox'
import { defaults } from './defaults.js'
import { oneOf, portNumber, quantity, seconds } from './schema-words.js'

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
/** Neither braces, which a proxy would fill in, nor what ends a path. */
const step = '[^/\\s{}?#%*\\\\\\u0000-\\u001F\\u007F]+'
const metaKey = Type.String({
  minLength: 1,
  maxLength: 256,
  expected: "a key of the project's metadata",
})

const headerMap = (description: string) =>
  Type.Record(
    Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$" }),
    Type.String({
      pattern: '^[^{}\\u0000-\\u0008\\u000A-\\u001F\\u007F]*$',
      maxLength: 4_096,
      expected: 'a text in one line, without braces',
      loose: [{ type: ['number', 'boolean', 'null'] }],
    }),
    { expected: 'a map, or a list of key=value', description },
  )

const tls = Type.Object(
  {
    mode: oneOf(['auto', 'internal', 'off', 'meta'], {
      description:
        '`auto`: a certificate of an ACME authority, or of the internal one for names that are not public. `internal`: of the authority of the entry itself. `off`: without TLS. `meta`: of the metadata.',
    }),
    cert: Type.Optional(metaKey),
    key: Type.Optional(metaKey),
  },
  {
    additionalProperties: false,
    needs: [],
    expected: 'auto, internal, off, or a map with cert and key',
    description:
      '`auto`, `internal`, `off`, or `{cert: KEY, key: KEY}` with the keys under which the metadata of the project has certificate and key, in PEM. Without it `auto` where there is a host.',
    loose: [{ enum: ['auto', 'internal', 'off'] }, { type: 'boolean' }],
  },
)

const canary = Type.Object(
  {
    header: Type.Optional(
      Type.String({
        // Printable ASCII, without what the proxy would fill in or take for a pattern.
        pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}: [!-)+-z|~]([ -)+-z|~]{0,254}[!-)+-z|~])?$",
        expected: 'a header and its value, such as "X-Canary: 1", without *, { and }',
        description: 'A header with its value, as `X-Canary: 1`.',
      }),
    ),
    cookie: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{1,64}=[!#-+\\--:<-\\[\\]-z|~]{1,256}$',
        expected: 'a cookie and its value, such as canary=1: letters, digits, _ and - before the =',
        description: 'A cookie with its value, as `canary=1`.',
      }),
    ),
  },
  {
    additionalProperties: false,
    needs: [],
    expected: 'a map with header, cookie or both',
    description:
      'Requests with this header, or this cookie, are led to instances of this version, as long as it has any that serve.',
  },
)

const route = Type.Object(
  {
    host: Type.Optional(
      Type.String({
        pattern: `^(?=.{1,253}$)(\\*\\.)?${label}(\\.${label})*$`,
        expected: 'a host such as shop.example, or *.shop.example',
        description: 'The host that requests name; any without it. `*.` stands for one label.',
      }),
    ),
    path: Type.Optional(
      Type.String({
        pattern: `^(?:/|(?:/${step})+)$`,
        maxLength: 1_000,
        expected: 'a path such as /api, without {, }, %, * and ?',
        description:
          'Requests for this path and all below it; the longest path that fits counts. Without it `/`.',
      }),
    ),
    tcp: Type.Optional(
      Type.Integer({
        ...portNumber,
        minimum: 1,
        description:
          'A port at which the entry takes connections that are not HTTP. It stands with `port`, `weight` and `drain` alone.',
      }),
    ),
    port: Type.Optional(
      Type.Integer({
        ...portNumber,
        minimum: 1,
        description: 'The port of the program; without it the first of `ports` for TCP.',
      }),
    ),
    tls: Type.Optional(tls),
    redirect: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s{}/]+(/[^\\s{}]*)?$',
        maxLength: 2_000,
        expected: 'a URL such as https://shop.example',
        description:
          'Where requests are sent to in place of an instance. Where the URL has no path, that of the request is added.',
      }),
    ),
    strip_prefix: Type.Optional(
      Type.String({
        pattern: `^(?:/${step})+$`,
        maxLength: 1_000,
        expected: 'a path such as /api, or true for that of the route',
        description: 'What the instance does not see of the path; `true`: `path`.',
        loose: [{ type: 'boolean' }],
      }),
    ),
    timeout: Type.Optional(
      Type.Number({
        ...seconds(0.1, 86_400),
        description: 'How many seconds an instance may take until it begins to answer.',
      }),
    ),
    retries: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10,
        expected: 'a whole number from 0 to 10',
        description: `How often another instance is tried: for every request where none could be reached, and for GET also where one failed. Without it ${defaults.entry.retries}.`,
      }),
    ),
    max_body: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1024 ** 2,
        expected: 'a size such as 10M, from 1M to 1T',
        description: 'The largest body of a request, in MiB.',
        loose: [quantity],
      }),
    ),
    sticky: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{1,64}$',
        expected: 'true, or the name of a cookie: letters, digits, _ and -, at most 64',
        description: 'A cookie that leads a client back to the same instance; `true`: `mariposa`.',
        loose: [{ type: 'boolean' }],
      }),
    ),
    canary: Type.Optional(canary),
    headers: Type.Optional(
      Type.Object(
        {
          request: Type.Optional(headerMap('Headers that the instance gets.')),
          response: Type.Optional(headerMap('Headers that the client gets.')),
        },
        {
          additionalProperties: false,
          needs: [],
          expected: 'a map with request and response',
          description: 'Headers that are set; those with an empty value are removed.',
        },
      ),
    ),
    weight: Type.Integer({
      minimum: 0,
      maximum: 1_000,
      expected: 'a whole number from 0 to 1000',
      default: defaults.entry.weight,
      description:
        'The share of the requests that each instance of this version gets, in proportion to others. 0 beside `canary`: only requests that ask for it.',
    }),
    drain: Type.Number({
      ...seconds(0, 60),
      default: defaults.entry.drain,
      description: 'How many seconds an instance that is to stop has for the requests under way.',
    }),
  },
  {
    additionalProperties: false,
    needs: [],
    expected: 'a map with host, path, port and tls, or with tcp and port',
  },
)

export const entry = Type.Array(route, {
  maxItems: 100,
  expected: 'a list of at most 100 maps with host, path, port and tls, or with tcp and port',
  title: 'Entry',
  description:
    'Where the world reaches the service (docs/entry.md): daemons with `--entry` serve it. One map, or a list of them.',
  examples: [[{ host: 'shop.example', path: '/api', port: 8080 }, { tcp: 5432 }]],
  loose: [{ type: 'object' }],
})
