// Routes of the entry, by which clients outside the cluster reach a service.
import * as Type from 'typebox'
import { addressIfNumeric } from '../lib/address.js'
import { defaults } from './defaults.js'
import { wholeSizeForms } from './quantities.js'
import { oneOf, portNumber, quantity, seconds } from './schema-words.js'

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
/** Without braces, which a proxy would expand, without characters that end a path, and without the steps `.` and `..`. */
const step = '(?!\\.{1,2}(?:/|$))[^/\\s{}?#%*\\\\\\u0000-\\u001F\\u007F]+'
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
        '`auto`: a certificate from an ACME certificate authority, or from the internal one for names that are not public. `internal`: from the certificate authority of the entry itself. `off`: without TLS. `meta`: from the metadata.',
    }),
    cert: Type.Optional(metaKey),
    key: Type.Optional(metaKey),
  },
  {
    additionalProperties: false,
    needs: [],
    expected: 'auto, internal, off, or a map with cert and key',
    description:
      '`auto`, `internal`, `off`, or `{cert: KEY, key: KEY}` with the metadata keys of the project that hold certificate and private key, in PEM. Default: `auto` if the route has a host.',
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
        description: 'A header with its value, such as `X-Canary: 1`.',
      }),
    ),
    cookie: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{1,64}=[!#-)+\\--:<-\\[\\]-z|~]{1,256}$',
        expected:
          'a cookie and its value, such as canary=1: letters, digits, _ and - before the =, no *, { and } after it',
        description: 'A cookie with its value, such as `canary=1`.',
      }),
    ),
  },
  {
    additionalProperties: false,
    needs: [],
    expected: 'a map with header, cookie or both',
    description:
      'Requests with this header or this cookie go to instances of this version, as long as one of them serves.',
  },
)

const route = Type.Object(
  {
    host: Type.Optional(
      Type.String({
        pattern: `^(?=.{1,253}$)${addressIfNumeric}(\\*\\.)?${label}(\\.${label})*$`,
        expected: 'a host such as shop.example, or *.shop.example',
        description: 'Host name of the requests; default: any. `*.` stands for one label.',
      }),
    ),
    path: Type.Optional(
      Type.String({
        pattern: `^(?:/|(?:/${step})+)$`,
        maxLength: 1_000,
        expected: 'a path such as /api, without {, }, %, *, ? and the steps . and ..',
        description:
          'Requests for this path and all paths below it; the longest matching path wins. Default `/`.',
      }),
    ),
    tcp: Type.Optional(
      Type.Integer({
        ...portNumber,
        minimum: 1,
        description:
          'Port on which the entry accepts TCP connections that are not HTTP. It can be combined only with `port`, `weight` and `drain`.',
      }),
    ),
    port: Type.Optional(
      Type.Integer({
        ...portNumber,
        minimum: 1,
        description: 'Port of the program; default: the first TCP port of `ports`.',
      }),
    ),
    tls: Type.Optional(tls),
    redirect: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s{}/]+(/[^\\s{}]*)?$',
        maxLength: 2_000,
        expected: 'a URL such as https://shop.example',
        description:
          'URL that requests are redirected to, instead of going to an instance. If the URL has no path, the path of the request is added.',
      }),
    ),
    strip_prefix: Type.Optional(
      Type.String({
        pattern: `^(?:/${step})+$`,
        maxLength: 1_000,
        expected: 'a path such as /api, or true for that of the route',
        description: 'Prefix that is removed from the path of requests; `true`: the `path` of the route.',
        loose: [{ type: 'boolean' }],
      }),
    ),
    timeout: Type.Optional(
      Type.Number({
        ...seconds(0.1, 86_400),
        description: 'Seconds within which an instance has to begin its answer.',
      }),
    ),
    retries: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10,
        expected: 'a whole number from 0 to 10',
        description: `Number of attempts with another instance: for any request if the connection failed, and for GET also if the request failed. Default ${defaults.entry.retries}.`,
      }),
    ),
    max_body: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1024 ** 2,
        expected: wholeSizeForms,
        description: 'Maximum size of the body of a request, in MiB.',
        loose: [quantity],
      }),
    ),
    sticky: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{1,64}$',
        expected: 'true, or the name of a cookie: letters, digits, _ and -, at most 64',
        description: 'Name of a cookie that keeps a client on the same instance; `true`: `mariposa`.',
        loose: [{ type: 'boolean' }],
      }),
    ),
    canary: Type.Optional(canary),
    headers: Type.Optional(
      Type.Object(
        {
          request: Type.Optional(headerMap('Headers of the request to the instance.')),
          response: Type.Optional(headerMap('Headers of the answer to the client.')),
        },
        {
          additionalProperties: false,
          needs: [],
          expected: 'a map with request and response',
          description: 'Headers to set; a header with an empty value is removed.',
        },
      ),
    ),
    weight: Type.Integer({
      minimum: 0,
      maximum: 1_000,
      expected: 'a whole number from 0 to 1000',
      default: defaults.entry.weight,
      description:
        'Share of the requests for each instance of this version, relative to other instances. With `canary`, 0 means only requests that match `canary`.',
    }),
    drain: Type.Number({
      ...seconds(0, 60),
      default: defaults.entry.drain,
      description: 'Seconds that a stopping instance has to finish its requests.',
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
    'Routes by which clients outside the cluster reach the service (docs/entry.md). Daemons with `--entry` serve them. One map, or a list of them.',
  examples: [[{ host: 'shop.example', path: '/api', port: 8080 }, { tcp: 5432 }]],
  loose: [{ type: 'object' }],
})
