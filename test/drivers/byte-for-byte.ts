// What a program receives is what its manifest says: the text of a manifest is read, compiled and given to a real
// driver, and the program tells the words and variables that the kernel handed to it. Each driver's own test file
// calls this with an opener.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KnownValues, resolveVariables } from '../../src/agent/deferred-environment.js'
import type { Driver, UnitToRun } from '../../src/agent/driver.js'
import { compileVersion } from '../../src/compile/compile.js'
import { readManifests } from '../../src/manifest/manifest.js'
import { asWritten } from '../../src/manifest/print.js'
import { standIns } from '../../src/manifest/stand-ins.js'
import { deferredEnvironmentOf } from '../../src/unit/deferred-environment.js'
import { withInstance } from '../../src/unit/name.js'
import { parseUnit } from '../../src/unit/parse.js'
import { unitHash } from '../../src/unit/print.js'
import { readXMariposa } from '../../src/unit/x-mariposa.js'
import { everything, forever, isRunning, untilObserved } from './driver-contract.js'
import { eachLine } from './each-line.js'

export interface ProgramHost {
  readonly driver: Driver
  /** The keys of a manifest that choose this driver, such as `compute_type`. */
  readonly kind: Readonly<Record<string, unknown>>
  /** A directory of this name that programs can start in. */
  readonly directory: (name: string) => Promise<string>
  /** The labels that the host keeps of a unit; not there where it knows none. */
  readonly labelsOf?: (unit: UnitToRun['name']) => Promise<Readonly<Record<string, string>>>
  readonly dispose: () => Promise<void>
}

/** Programs need `/bin/sh`, `base64` and `readlink`. */
export function byteForByte(name: string, open: () => Promise<ProgramHost>): void {
  describe(`byte for byte: ${name}`, () => {
    let host: ProgramHost
    const scope = new AbortController()
    const { signal } = scope
    beforeAll(async () => {
      host = await open()
    })
    afterAll(async () => {
      scope.abort()
      await host.dispose()
    })

    // A name of its own for each: a host may keep the lines of earlier units.
    let count = 0
    const start = async (given: GivenTexts, known = nothingKnown): Promise<UnitToRun> => {
      count += 1
      const unit = unitOf({ ...host.kind, name: `exact-${count}`, restart: 'no', ...given }, known)
      await host.driver.load(unit, signal)
      await host.driver.start(unit.name, signal)
      return unit
    }
    const receivedBy = async (given: GivenTexts, known = nothingKnown): Promise<Received> => {
      const unit = await start({ ...given, command: telling(given.command) }, known)
      const told = await linesUntilEnd(host.driver, unit.name, signal)
      if (host.labelsOf !== undefined && given.labels !== undefined)
        expect(await host.labelsOf(unit.name)).toMatchObject(given.labels)
      await host.driver.unload(unit.name, signal)
      return readTold(told)
    }

    // 25 programs of 100 words and 100 variables.
    it('a program receives the words and variables of its manifest', { timeout: 120_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(manyTexts, manyTexts, async (words, texts) => {
          const variables = Object.fromEntries(texts.map((value, at) => [`V${at}`, value]))
          const labels = Object.fromEntries(texts.map((value, at) => [`l${at}`, value]))
          const got = await receivedBy({ command: words, environment: variables, labels })
          expect(got.words).toEqual(words)
          expect(got.environment).toMatchObject(variables)
        }),
        { numRuns: 25, endOnFailure: true },
      )
    })

    it('a program receives words and variables that are long', async () => {
      const long = ['x'.repeat(100_000), 'ü"$%\\\n'.repeat(2_000), ' '.repeat(10_000)]
      const got = await receivedBy({ command: long, environment: { LONG: '%$"'.repeat(20_000) } })
      expect(got.words).toEqual(long)
      expect(got.environment['LONG']).toBe('%$"'.repeat(20_000))
    })

    it('a program receives what is known only at its instance amid texts that look like it', async () => {
      const text = '%i {{ .instance.name }} %% \\{{ .instance.n }} ${{ .instance.n }}'
      const filled = '%i told-7 %% {{ .instance.n }} $7'
      const got = await receivedBy({ name: 'told', command: [raw(text)], environment: { IT: raw(text) } })
      expect(got.words).toEqual([filled])
      expect(got.environment['IT']).toBe(filled)
    })

    it('a program receives what its agent fills in: secrets, and what the machine knows', async () => {
      await fc.assert(
        fc.asyncProperty(text, text, secretText, text, async (before, after, secret, rack) => {
          const around = (template: string) =>
            raw(`${String(written(before))}|${template}|${String(written(after))}`)
          const got = await receivedBy(
            {
              command: [],
              environment: {
                SECRET: raw('u:{{ .meta.password }}@%i {{ .meta.password }}'),
                RACK: around('{{ .machine.metadata.rack }}'),
                NONE: around('{{ default .machine.metadata.none "%i" }}'),
                IP: raw('{{ "{" }}{{ .machine.ip }}}'),
                ID: raw('{{ .instance.uuid }}'),
              },
            },
            { ...nothingKnown, machineMetadata: { rack }, meta: () => secret },
          )
          expect(got.environment).toMatchObject({
            SECRET: `u:${secret}@%i ${secret}`,
            RACK: `${before}|${rack}|${after}`,
            NONE: `${before}|%i|${after}`,
            IP: '{192.0.2.7}',
            ID: nothingKnown.instanceUuid,
          })
        }),
        { numRuns: 10, endOnFailure: true },
      )
    })

    it('a program starts in the directory that its manifest names', async () => {
      const directory = await host.directory('a\'b "c" 100% %i $HOME ${HOME} \\x41 {{ ü')
      const { directory: got } = await receivedBy({ command: [], working_dir: directory })
      expect(got).toBe(directory)
    })

    it('the command of a health check receives its words', async () => {
      const unit = await start({ command: forever })
      await untilObserved(host.driver, unit.name, isRunning, signal)
      await fc.assert(
        fc.asyncProperty(manyTexts, async (words) => {
          const { name: unitName, file } = unitOf({
            ...host.kind,
            name: 'checked',
            command: forever,
            healthchecks: [{ type: 'command', command: telling(words) }],
          })
          const { settings } = readXMariposa(file, { name: unitName, machine: null })
          const [check] = settings.healthChecks
          const argv = check?.type === 'command' ? check.argv : []
          let output = ''
          const onOutput = (_: string, chunk: Uint8Array): void => {
            output += new TextDecoder().decode(chunk)
          }
          await host.driver.exec(unit.name, { argv, user: null, stdin: null, onOutput }, signal)
          expect(readTold(output.split('\n')).words).toEqual(words)
        }),
        { numRuns: 5, endOnFailure: true },
      )
    })
  })
}

/** Keys of a manifest. Texts stand for themselves, except those that `raw` marks as templates. */
interface GivenTexts {
  readonly name?: string
  readonly command: readonly (string | Template)[]
  readonly environment?: Readonly<Record<string, string | Template>>
  readonly labels?: Readonly<Record<string, string>>
  readonly working_dir?: string
}

interface Template {
  readonly template: string
}

/** A text that goes into the manifest as it is, templates and all. */
function raw(template: string): Template {
  return { template }
}

const nothingKnown: KnownValues = {
  instanceUuid: '11111111-2222-5333-8444-555555555555',
  machineIp: '192.0.2.7',
  machineMetadata: {},
  meta: () => null,
  volumePath: () => null,
  files: null,
  call: () => null,
  isSecret: () => false,
}

/** From the text of a manifest to what a driver is given of instance 7, as an agent would fill it in. */
function unitOf(given: object, known = nothingKnown): UnitToRun {
  const text = JSON.stringify(written(given))
  const meta = { values: new Map([['password', null]]), complete: true }
  const { manifests, diagnostics } = readManifests([{ file: 'exact.json', text }], (name) => ({
    ...standIns(name),
    meta,
  }))
  expect(diagnostics).toEqual([])
  const [read] = manifests
  if (read === undefined) throw new Error('the manifest gave no service')
  const version = { uuid: '0b2f8a52-3c1d-5e6f-8a9b-0c1d2e3f4a5b', ordinal: 1 }
  const compiled = compileVersion({ project: 'test', ...read, version })
  expect(compiled.diagnostics).toEqual([])
  const name = withInstance(compiled.template, 7)
  const { file } = parseUnit(compiled.text)
  const late = deferredEnvironmentOf(file, { name, machine: null })
  expect(late.diagnostics).toEqual([])
  const { environment, secrets, missing } = resolveVariables(late.variables, known)
  expect(missing).toEqual([])
  return { name, hash: unitHash(compiled.text), file, instance: null, ports: [], environment, secrets }
}

/** Texts with their braces escaped, as an author would write them. */
function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(written)
  if (typeof value !== 'object' || value === null) return asWritten(value)
  if ('template' in value) return value.template
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, written(item)]))
}

/** A program that tells its words, its variables and its directory, each as base64. */
function telling<T>(words: readonly T[]): readonly (string | T)[] {
  return ['/bin/sh', '-c', tellingScript, 'sh', ...words]
}

const tellingScript = [
  'base64 < /proc/$$/cmdline',
  'echo then',
  'base64 < /proc/$$/environ',
  'echo then',
  'readlink -n /proc/$$/cwd | base64',
  'echo end',
].join('; ')

interface Received {
  /** Those behind the program itself. */
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly directory: string
}

async function linesUntilEnd(
  driver: Driver,
  unit: UnitToRun['name'],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const { line } of eachLine(driver.logs(unit, { ...everything, follow: true }, signal))) {
    if (line === 'end') break
    lines.push(line)
  }
  return lines
}

function readTold(lines: readonly string[]): Received {
  const [argv = '', environ = '', directory = ''] = lines
    .filter((line) => line !== 'end')
    .join('\n')
    .split('\nthen')
    .map(decoded)
  const [program, option, script, name, ...words] = strings(argv)
  expect([program, option, script, name]).toEqual(telling([]))
  const pairs = strings(environ).map((pair) => {
    const equals = pair.indexOf('=')
    return [pair.slice(0, equals), pair.slice(equals + 1)] as const
  })
  expect(new Set(pairs.map(([key]) => key)).size).toBe(pairs.length)
  return { words, environment: Object.fromEntries(pairs), directory }
}

/** Fails on bytes that are no UTF-8, so that equal texts are equal bytes. */
function decoded(base64: string): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, 'base64'))
}

/** Strings as the kernel keeps them: each ends in a NUL. */
function strings(text: string): readonly string[] {
  return text === '' ? [] : text.slice(0, -1).split('\0')
}

const tricky = [
  ...['"', "'", '`', '\\', '\\n', '\\x41', '\\u00fc', '\\', '\\"'],
  ...['%', '%%', '%i', '%n', '%H', '%%i', '%d', '% '],
  ...['$', '$$', '$HOME', '${HOME}', '${', '$(id)', '$1', '$V1'],
  ...['{{', '}}', '{{ .service.name }}', '\\{{', '{{{', '\\\\{{'],
  ...['\n', '\r', '\r\n', '\t', ' ', '  ', '\v', '\f', '\x01', '\x1b[31m', '\x7f', '\u0085'],
  ...[
    '-',
    '--',
    '-e',
    '-c',
    ';',
    '\\;',
    '#',
    '=',
    ':',
    ',',
    '!',
    '@',
    '+',
    '*',
    '?',
    '[a]',
    '~',
    '&',
    '|',
    '<',
  ],
  ...['é', 'e\u0301', '日本', '💥', '\u00a0', '\u2028', '\u2029', '\u200b', '\u202e', '\ufeff', '\u{10fffd}'],
  ...['no', '0755', 'null', '1.10', '<<', '*a', '!x', 'infinity', '[Service]', 'User=root', '\n[Service]\n'],
]

/** What no manifest can carry: NUL, half characters and noncharacters, and the marks of templates. */
const impossible = /[\0\uE000\uE001]|\p{Noncharacter_Code_Point}|\p{Surrogate}/gu

const text = fc
  .array(fc.oneof(fc.constantFrom(...tricky), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 6 })
  .map((parts) => parts.join('').replace(impossible, ''))

/** systemd's driver refuses secrets with control characters in them (`systemd/bad-secret`). */
const secretText = text.map((secret) => secret.replace(/[^\P{Cc}\t\n]/gu, ''))

const manyTexts = fc.array(text, { minLength: 100, maxLength: 100, size: 'max' })
