import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, stringify, type ToStringOptions } from 'yaml'
import { asWritten, printManifest } from '../../src/manifest/print.js'
import { publishedProjectSchema, publishedServiceSchema } from '../../src/manifest/published-schema.js'
import type { ServiceManifest } from '../../src/manifest/schema.js'
import { randomCases } from '../random-runs.js'
import { anyManifest } from './arbitrary-manifest.js'
import { read, readGood } from './reading.js'

const ajv = new Ajv2020({ strict: false, allErrors: true })
const editorAccepts = ajv.compile(publishedServiceSchema())

/** The same manifest in the seed's looser forms. Texts are as an author writes them: templates, escapes. */
function loosened(manifest: ServiceManifest): Record<string, unknown> {
  const { environment, labels, ports, restart, stop, healthchecks, memory, ...more } = asWritten(
    manifest,
  ) as ServiceManifest
  const { affinity, triggers, autoscale, schedule, ulimits, sysctls, cap_add: added, ...rest } = more
  const list = (pairs: Record<string, string>) =>
    Object.entries(pairs).map(([key, value]) => `${key}=${value}`)
  return {
    ...rest,
    affinity: affinity.map(({ key, operator, value, by }) => {
      const rule = `${key} ${operator} ${value}`
      return by === undefined ? rule : { rule, by }
    }),
    triggers: Object.fromEntries(triggers.map(({ name, ...trigger }) => [name, trigger])),
    ...(autoscale && { autoscale: Object.entries(autoscale).map(([key, value]) => ({ [key]: value })) }),
    ...(schedule && { schedule: Object.entries(schedule).map(([key, value]) => ({ [key]: value })) }),
    ...(ulimits && {
      ulimits: Object.entries(ulimits).map(([key, { soft, hard }]) => `${key}=${soft}:${hard}`),
    }),
    ...(sysctls && { sysctls: list(sysctls) }),
    ...(added && { cap_add: added.map((name) => `cap_${name.toLowerCase()}`) }),
    environment: list(environment),
    tags: list(labels),
    ports: ports.map(({ ip, host, container, protocol }) => {
      const address = ip === undefined ? '' : `${ip.includes(':') ? `[${ip}]` : ip}:`
      const from = host === undefined ? (ip === undefined ? '' : ':') : `${host}:`
      return `${address}${from}${container}${protocol === 'tcp' ? '' : '/udp'}`
    }),
    restart: restart.max === undefined ? restart.policy : `${restart.policy}:${restart.max}`,
    stop: [{ timeout: `${stop.timeout} seconds` }, { preservestopped: stop.preservestopped }],
    ...(healthchecks && {
      healthchecks: healthchecks.map(({ poll, timeout, ...check }) => ({
        ...check,
        poll: `${poll * 1_000}ms`,
        timeout: `PT${timeout}S`,
      })),
    }),
    ...(memory !== undefined && { memory: `${memory} MiB` }),
  }
}

const looseForms: readonly ToStringOptions[] = [
  { lineWidth: 0 },
  { lineWidth: 20, defaultStringType: 'QUOTE_DOUBLE' },
  { lineWidth: 0, singleQuote: true, collectionStyle: 'flow' },
]

describe('any canonical manifest', { timeout: 600_000 }, () => {
  test('printed as YAML reads back as the same', () => {
    fc.assert(
      fc.property(anyManifest, (manifest) => {
        expect(readGood(printManifest(manifest))).toEqual(manifest)
      }),
      { numRuns: randomCases(300) },
    )
  })

  test('printed as YAML keeps a space between two line breaks of a long text', () => {
    const value = `${'x'.repeat(40)}\n \n`
    const manifest = readGood(JSON.stringify({ name: 'web', image: 'nginx', environment: { A: value } }))
    expect(readGood(printManifest(manifest)).environment).toEqual({ A: value })
  })

  test('as JSON, indented or not, reads back as the same', () => {
    fc.assert(
      fc.property(anyManifest, fc.constantFrom(0, 2, '\t'), (manifest, indent) => {
        expect(readGood(JSON.stringify(asWritten(manifest), null, indent))).toEqual(manifest)
      }),
      { numRuns: randomCases(300) },
    )
  })

  test('in loose forms reads back as the same', () => {
    fc.assert(
      fc.property(anyManifest, (manifest) => {
        const loose = loosened(manifest)
        const data = JSON.stringify(loose)
        for (const form of looseForms) {
          const printed = stringify(loose, { blockQuote: false, ...form })
          // In a few texts the library's printer changes spaces or line breaks: what it prints then is another manifest.
          if (JSON.stringify(parse(printed)) === data) expect(readGood(printed)).toEqual(manifest)
        }
      }),
      { numRuns: randomCases(100) },
    )
  })

  test('in every form is accepted by the published schema', () => {
    fc.assert(
      fc.property(anyManifest, (manifest) => {
        for (const form of [asWritten(manifest), loosened(manifest)]) {
          expect(editorAccepts(form), JSON.stringify(editorAccepts.errors)).toBe(true)
        }
      }),
      { numRuns: randomCases(100) },
    )
  })

  test('as one of the services of a project is the same', () => {
    fc.assert(
      fc.property(anyManifest, (manifest) => {
        const { name, ...rest } = asWritten(manifest) as ServiceManifest
        expect(readGood(stringify({ services: { [name]: rest } }, { blockQuote: false }))).toEqual(manifest)
      }),
      { numRuns: randomCases(100) },
    )
  })
})

const base = `name: web
image: "nginx:{{ .scale }}"
environment: [A=0755, "B={{ instance.n }}"]
ports: ["80:8080", 53/udp]
labels: &l {a: b}
restart: on-failure:3
stop:
  - timeout: -1
healthchecks:
  - type: command
    command: test -f "/a b"
    poll: 5 minutes
`
const pieces = [
  '{{',
  '}}',
  ':',
  ' ',
  '\n',
  '  ',
  '- ',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '&l',
  '*l',
  '<<: *l',
  '!',
  '|',
  '>',
  '#',
  '\t',
  '\\',
  '~',
  ',',
  '---\n',
  '%YAML 1.1\n',
  'services:',
  '\uFEFF',
  '\0',
  '\r',
  '? ',
  '-1',
  '99999',
]

describe('any text', () => {
  const answers = (text: string) => {
    const { manifests, diagnostics } = read(text)
    const lines = text.split('\n')
    for (const { line, column = 1, length = 1 } of diagnostics) {
      if (line === undefined) continue
      expect(line).toBeLessThanOrEqual(lines.length)
      expect(column).toBeLessThanOrEqual([...(lines[line - 1] ?? '')].length + 1)
      expect(column + length - 1).toBeLessThanOrEqual([...(lines[line - 1] ?? '')].length + 1)
    }
    expect(manifests.length + diagnostics.length).toBeGreaterThan(0)
  }

  test('is read or refused with a place inside it', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), answers), {
      numRuns: randomCases(2_000),
    })
  })

  test('of the signs of YAML is read or refused', () => {
    const piece = fc.oneof(
      fc.constantFrom(...pieces),
      fc.constantFrom('name', 'image', 'command', 'ports', 'stop', 'a'),
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
        answers,
      ),
      { numRuns: randomCases(2_000) },
    )
  })

  test('that was a manifest before a few edits is read or refused', () => {
    const edit = fc.record({
      at: fc.nat(base.length),
      drop: fc.nat(6),
      insert: fc.constantFrom('', ...pieces),
    })
    const edited = fc
      .array(edit, { minLength: 1, maxLength: 4 })
      .map((edits) =>
        edits.reduce(
          (text, { at, drop, insert }) => text.slice(0, at) + insert + text.slice(at + drop),
          base,
        ),
      )
    fc.assert(fc.property(edited, answers), { numRuns: randomCases(3_000) })
  })
})

describe('the published schema', () => {
  test.each([
    { image: 'x', ports: 8500, memory: 512, environment: { A: 1, B: null, C: true } },
    {
      image: 'x',
      ports: [8500, '53/udp'],
      tags: ['a=b'],
      restart: false,
      stop: [{ timeout: -1 }, { preservestopped: 'no' }],
    },
    { image: 'x', healthchecks: [{ type: 'http' }, { poll: '5m' }], labels: { a: 1.5 } },
    {
      compute_type: 'process',
      command: 'node server.js',
      healthchecks: { type: 'http', path: '{{ .instance.n }}' },
    },
  ])('accepts %j', (manifest) => {
    expect(editorAccepts(manifest), JSON.stringify(editorAccepts.errors)).toBe(true)
  })

  test.each([
    {},
    { compute_type: 'process' },
    { compute_type: 'process', command: 'x', image: 'y' },
    { image: 'x', imge: 'y' },
    { image: 'x', healthchecks: [{ type: 'http', pat: '/' }] },
    { image: 'x', restart: 'sometimes' },
    { image: 'x', service_type: 'evnt' },
    { image: 'x', schedule: 'R/PT1H' },
  ])('marks %j', (manifest) => {
    expect(editorAccepts(manifest)).toBe(false)
    expect(read(JSON.stringify(manifest)).manifests).toEqual([])
  })

  test('of a project checks its services', () => {
    const accepts = ajv.compile(publishedProjectSchema())
    expect(accepts({ services: { a: { image: 'x' } } })).toBe(true)
    expect(accepts({ services: { a: { imge: 'x' } } })).toBe(false)
  })
})
