import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CompiledVersion, compileVersion } from '../../src/compile/compile.js'
import { parseManifest } from '../../src/manifest/manifest.js'
import type { ServiceManifest } from '../../src/manifest/schema.js'
import { placementMark } from '../../src/manifest/variables.js'
import { checkUnit } from '../../src/unit/check.js'
import { environmentOf } from '../../src/unit/environment.js'
import { containerWords, expandArgv, parseExec } from '../../src/unit/exec.js'
import { withInstance } from '../../src/unit/name.js'
import { parseUnit, type UnitFile } from '../../src/unit/parse.js'
import { expandSpecifiers } from '../../src/unit/specifiers.js'
import { lastOf } from '../../src/unit/values.js'
import { readXMariposa } from '../../src/unit/x-mariposa.js'
import { randomCases } from '../random-runs.js'

const version = { uuid: '0b2f8a52-3c1d-5e6f-8a9b-0c1d2e3f4a5b', ordinal: 2 }
const machine = { id: '0123456789abcdef0123456789abcdef', hostname: 'host-a' }

const least: ServiceManifest = {
  name: 'web',
  service_type: 'continuous',
  compute_type: 'process',
  command: ['/bin/true'],
  environment: {},
  volumes: [],
  files: [],
  ports: [],
  dns: [],
  'dns-search': [],
  labels: {},
  affinity: [],
  restart: { policy: 'always' },
  stop: { timeout: 10, preservestopped: 'on-failure' },
  healthchecks: [],
  triggers: [],
  webhooks: [],
}

const input = { project: 'default', package: null, version, file: 'web.yml' }

function compile(changes: Partial<ServiceManifest>): CompiledVersion {
  return compileVersion({ ...input, manifest: { ...least, ...changes } })
}

/** What the program of instance 7 is given, read as the drivers read it. */
function received(compiled: CompiledVersion) {
  const { file, diagnostics } = parseUnit(compiled.text)
  const context = { name: withInstance(compiled.template, 7), machine }
  const section = lastOf(file, 'Container', 'Image') === null ? 'Service' : 'Container'
  const environment = environmentOf(file, section, context)
  const settings = readXMariposa(file, context)
  expect([...diagnostics, ...environment.diagnostics, ...settings.diagnostics]).toEqual([])
  expect(checkUnit(file, context.name)).toEqual([])
  const plain = (name: string): string | null => {
    const value = lastOf(file, section, name)
    return value === null ? null : expandSpecifiers(value, context).text
  }
  return { ...settings.settings, environment: environment.environment, plain, argv: argvOf(file, context) }
}

function argvOf(file: UnitFile, context: Parameters<typeof parseExec>[1]): readonly string[] {
  const line = lastOf(file, 'Service', 'ExecStart')
  if (line === null) {
    return ['Entrypoint', 'Exec'].flatMap((name) => {
      const { words, problems } = containerWords(lastOf(file, 'Container', name) ?? '', context)
      expect(problems).toEqual([])
      return words
    })
  }
  const { commands, problems, warnings } = parseExec(line, context)
  expect([...problems, ...warnings]).toEqual([])
  expect(commands).toHaveLength(1)
  return commands.flatMap((command) => expandArgv(command, { HOME: '/root', 1: 'one' }))
}

describe('compiling a manifest', () => {
  it('fills in at the instance what is known only there', () => {
    const name = placementMark('instance.name')
    const { argv, environment, labels, healthChecks } = received(
      compile({
        command: ['/bin/web', `${name}!`, '%i $1'],
        environment: { AT: `${placementMark('machine.name')}/${placementMark('machine.id')}` },
        labels: { it: name },
        healthchecks: [
          {
            type: 'command',
            command: ['check', placementMark('instance.n')],
            poll: 30,
            timeout: 10,
            retries: 3,
          },
        ],
      }),
    )
    expect(argv).toEqual(['/bin/web', 'web-7!', '%i $1'])
    expect(environment).toEqual({ AT: `host-a/${machine.id}` })
    expect(labels).toEqual({ it: 'web-7' })
    expect(healthChecks).toMatchObject([{ argv: ['check', '7'] }])
  })

  it.each([
    [10, '10s'],
    [0, '1ms'],
    [-1, 'infinity'],
  ])(
    'a stop timeout of %i seconds is TimeoutStopSec=%s, for zero would wait without end',
    (timeout, value) => {
      const { text } = compile({ stop: { timeout, preservestopped: 'no' } })
      expect(lastOf(parseUnit(text).file, 'Service', 'TimeoutStopSec')).toBe(value)
    },
  )

  it.each([
    [['/opt/$app/run', 'a'], 'ExecStart=@/opt/$app/run /opt/$$app/run a'],
    [['/opt/my app/run'], 'ExecStart="/opt/my app/run"'],
    [['/opt/100%/run'], 'ExecStart=/opt/100%%/run'],
    [['node', ''], 'ExecStart=node ""'],
  ])('the program %j is written as systemd reads it', (command, line) => {
    const compiled = compile({ command })
    expect(compiled.text.split('\n')).toContain(line)
    expect(received(compiled).argv).toEqual(command)
  })

  it('gives a program below the working directory its name as the author wrote it', () => {
    const compiled = compile({ command: ['./run', 'x'], working_dir: '/srv/app' })
    expect(compiled.text).toContain('\nExecStart=@/srv/app/./run ./run x\n')
    expect(received(compiled).argv).toEqual(['./run', 'x'])
  })

  it.each<[string, Partial<ServiceManifest>, string, string]>([
    ['no program', { command: [] }, 'compile/no-program', '/command'],
    ['an empty program', { entrypoint: [''] }, 'compile/no-program', '/command'],
    ['a relative program', { command: ['bin/run'] }, 'compile/bad-program', '/command/0'],
    ['a program like a prefix', { entrypoint: ['-sh'] }, 'compile/bad-program', '/entrypoint/0'],
    ['a quote in the program', { command: ['/bin/it"s'] }, 'compile/bad-program', '/command/0'],
    ['a NUL in a word', { command: ['/bin/a', '\0'] }, 'compile/bad-text', '/command/1'],
    ['half a character', { environment: { A: '\ud800' } }, 'compile/bad-text', '/environment/A'],
    ['a noncharacter', { labels: { 'a/b': '\uffff' } }, 'compile/bad-text', '/labels/a~1b'],
    [
      'a variable no shell could name',
      { environment: { 'a.b': 'x' } },
      'compile/bad-variable-name',
      '/environment/a.b',
    ],
    ['a directory with a line break', { working_dir: '/a\nb' }, 'compile/bad-text', '/working_dir'],
    ['a directory that ends in a blank', { working_dir: '/a ' }, 'compile/bad-text', '/working_dir'],
    ['a user that ends in a backslash', { user: 'a\\' }, 'compile/bad-text', '/user'],
    ['resolvers of its own for a process', { dns: ['8.8.8.8'] }, 'compile/no-resolver', '/dns'],
    ['domains of its own for a process', { 'dns-search': ['a.b'] }, 'compile/no-resolver', '/dns-search'],
    [
      'a NUL in a check',
      {
        healthchecks: [
          { type: 'http', network: 'public', port: 1, path: '/\0', poll: 1, timeout: 1, retries: 1 },
        ],
      },
      'compile/bad-text',
      '/healthchecks/0/path',
    ],
  ])('refuses %s', (_, changes, code, path) => {
    expect(compile(changes).diagnostics).toMatchObject([{ code, path, severity: 'error', file: 'web.yml' }])
    expect(compile(changes).text).toBe('')
  })

  it.each<[Partial<ServiceManifest>, number | null, number | null]>([
    [{}, null, null],
    [{ memory: 64 }, 64, null],
    [{ package: 'g4-highcpu-512M' }, 512, 50],
    [{ package: 'g4-highcpu', memory: 300 }, 300, 50],
  ])(
    'reserves for %j the memory that is asked for, else that of the package named',
    (changes, memory, cpu) => {
      const manifest = { ...least, ...changes }
      const compiled = compileVersion({ ...input, manifest, package: { ram: 512, cpu: 50 } })
      expect(received(compiled)).toMatchObject({ memoryMb: memory, cpu })
    },
  )

  it('refuses a unit of more than 1 MiB', () => {
    expect(compile({ environment: { A: 'x'.repeat(2 ** 20) } }).diagnostics).toMatchObject([
      { code: 'compile/too-large' },
    ])
  })

  it('reports all that is wrong at once', () => {
    const { diagnostics } = compile({
      command: ['bin/a', '\0'],
      environment: { A: '\0', 'b-c': '' },
      labels: { l: '\0' },
    })
    expect(diagnostics.map(({ path }) => path)).toEqual([
      '/command/0',
      '/environment/A',
      '/environment/b-c',
      '/labels/l',
    ])
  })

  it('keeps the name of the file within its line', () => {
    const { text } = compileVersion({ ...input, manifest: least, file: 'a\n[Service]\nUser=root' })
    expect(text.split('\n')[0]).toBe(
      '# web version 2 of project default, compiled from a?[Service]?User=root.',
    )
  })
})

describe('what the program receives', () => {
  const text = fc
    .string({ unit: 'binary' })
    .map((word) => word.replace(/[\0\uE000\uE001]|\p{Noncharacter_Code_Point}/gu, ''))
  const tricky = fc.constantFrom(
    '$',
    '$$',
    '%',
    '%%',
    '%i',
    '${A}',
    '$HOME',
    ';',
    '\\',
    '"',
    "'",
    '\n',
    ' ',
    '-',
    '#',
    'é',
    '\t',
  )
  const word = fc.oneof(
    text,
    fc.array(fc.oneof(tricky, text)).map((parts) => parts.join('')),
  )
  const port = fc.integer({ min: 1, max: 65535 })
  const timing = {
    poll: fc.integer({ min: 1, max: 864_000 }).map((tenths) => tenths / 10),
    timeout: fc.integer({ min: 1, max: 60 }),
    retries: fc.integer({ min: 1, max: 9 }),
  }
  const variables = fc.dictionary(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,9}$/), word)
  const checksOn = (...networks: string[]) =>
    fc.array(
      fc.oneof(
        fc.record({
          type: fc.constantFrom('http', 'https'),
          network: fc.constantFrom(...networks),
          port,
          path: word.map((path) => `/${path}`),
          ...timing,
        }),
        fc.record({
          type: fc.constant('command' as const),
          command: fc.array(word, { minLength: 1 }),
          user: word,
          ...timing,
        }),
      ),
    )
  const common = {
    name: fc.constant('web'),
    service_type: fc.constantFrom('continuous', 'event'),
    environment: variables,
    // A manifest with one host port twice is refused before.
    ports: fc.uniqueArray(
      fc.record({ host: port, container: port, protocol: fc.constantFrom('tcp', 'udp') }),
      {
        selector: ({ host }) => host,
      },
    ),
    memory: fc.integer({ min: 4, max: 10 ** 6 }),
    labels: fc.dictionary(fc.stringMatching(/^[a-z][a-z./-]{0,9}$/), word),
    restart: fc.constantFrom({ policy: 'always' } as const, { policy: 'on-failure', max: 3 } as const),
    stop: fc.record({
      timeout: fc.integer({ min: -2, max: 1000 }),
      preservestopped: fc.constantFrom('no', 'always'),
    }),
  } as const
  const process = fc.record({
    ...common,
    compute_type: fc.constant('process' as const),
    healthchecks: checksOn('public', 'back'),
    command: fc
      .tuple(fc.constantFrom('/bin/x', 'node', '/a $b%c'), fc.array(word))
      .map(([program, rest]) => [program, ...rest]),
  })
  const docker = fc.record({
    ...common,
    compute_type: fc.constant('docker' as const),
    // On another network a container's port has to be published.
    healthchecks: fc.option(checksOn('public'), { nil: undefined }),
    image: fc.constant('nginx'),
    environment: fc.dictionary(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,9}$/), word),
    command: fc.option(fc.array(word), { nil: undefined }),
    entrypoint: fc.option(fc.array(word), { nil: undefined }),
  })

  it('is what the manifest says, byte for byte', () => {
    fc.assert(
      fc.property(fc.oneof(process, docker), (generated) => {
        const manifest = generated as ServiceManifest
        const compiled = compile(manifest)
        expect(compiled.diagnostics).toEqual([])
        const got = received(compiled)
        expect(got.argv).toEqual([...(manifest.entrypoint ?? []), ...(manifest.command ?? [])])
        expect(got.environment).toEqual({ ...manifest.environment })
        expect(got.labels).toEqual({ ...manifest.labels })
        expect(got.ports).toEqual(manifest.ports.map((need) => ({ ip: null, ...need })))
        expect(got).toMatchObject({
          project: 'default',
          service: 'web',
          version: version.uuid,
          ordinal: 2,
          memoryMb: manifest.memory,
          restart: { name: manifest.restart.policy, max: manifest.restart.max ?? null },
          preserve: manifest.stop.preservestopped,
        })
        expect(got.healthChecks).toEqual(
          (manifest.healthchecks ?? []).map(({ poll, timeout, ...check }) => {
            const times = { pollMs: Math.round(poll * 1000), timeoutMs: timeout * 1000 }
            if (check.type === 'command') {
              const { command, ...rest } = check
              return { ...rest, argv: command, ...times }
            }
            const { network, ...rest } = check
            return { ...rest, ...(network !== 'public' && { network }), ...times }
          }),
        )
      }),
      { numRuns: randomCases(300) },
    )
  })

  it('does not depend on the order of the keys that a manifest is written in', () => {
    const rich = {
      name: 'web',
      image: 'nginx',
      memory: 64,
      ports: [{ container: 80, host: 8080, protocol: 'tcp' }],
      restart: { policy: 'on-failure', max: 3 },
      stop: { timeout: 5, preservestopped: 'no' },
      affinity: [{ rule: 'service!=db', by: 'rack' }, 'service!=cache'],
      healthchecks: [
        { type: 'http', network: 'public', port: 80, path: '/up', poll: 5, timeout: 1, retries: 2 },
      ],
      user: 'nobody',
      command: ['nginx', '-g', 'daemon off;'],
      dns: ['8.8.8.8'],
      spread: 'rack',
    }
    const textOf = (manifest: object): string => {
      const { manifests } = parseManifest({ file: 'web.json', text: JSON.stringify(manifest) })
      const [read] = manifests
      if (read === undefined) throw new Error('there is no manifest')
      return compile(read.manifest).text
    }
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        expect(textOf(shuffled(rich, numbers) as object)).toBe(textOf(rich))
      }),
      { numRuns: randomCases(50) },
    )
  })

  it('and the same manifest always gives the same text', () => {
    fc.assert(
      fc.property(process, (manifest) => {
        const again = JSON.parse(JSON.stringify(manifest)) as ServiceManifest
        expect(compile(again).text).toBe(compile(manifest as ServiceManifest).text)
      }),
      { numRuns: randomCases(30) },
    )
  })
})

/** The same data, the keys of each map in another order. */
function shuffled(value: unknown, numbers: Iterator<number>): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, numbers))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => ({
    entry: [key, shuffled(item, numbers)] as const,
    at: Number(numbers.next().value),
  }))
  return Object.fromEntries(entries.sort((a, b) => a.at - b.at).map(({ entry }) => entry))
}

describe('a container that asks the daemon for names', () => {
  const cns = { public: 'example.internal', private: 'cns.example.internal' }
  const docker = { ...least, compute_type: 'docker', image: 'x' } as const
  const namesOf = (manifest: ServiceManifest, suffixes: typeof cns | null = cns): string | undefined => {
    const { command: _, ...rest } = manifest
    const { text } = compileVersion({ ...input, manifest: rest, cns: suffixes })
    return /^Names=(.*)$/m.exec(text)?.[1]
  }

  it('tries short names among the services of its project', () => {
    expect(namesOf(docker)).toBe('svc.default.cns.example.internal svc.default.example.internal')
  })

  it('tries what its manifest says', () => {
    expect(namesOf({ ...docker, 'dns-search': ['example.org'] })).toBe('yes')
  })

  it('is none whose manifest says whom to ask, no process, and none of a daemon without names', () => {
    expect(namesOf({ ...docker, dns: ['192.0.2.1'] })).toBeUndefined()
    expect(namesOf(least)).toBeUndefined()
    expect(namesOf(docker, null)).toBeUndefined()
  })
})
