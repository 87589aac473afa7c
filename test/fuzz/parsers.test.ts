// Whatever text comes from outside, every parser answers: no exception that is not its own, and in a time that grows with
// the text alone. `npm run fuzz` tries a million texts; a failure names the seed and the text.
import { describe, expect, test } from 'vitest'
import { parseExposition } from '../../src/agent/metrics/exposition.js'
import { readTokens } from '../../src/api/access.js'
import { describeActor } from '../../src/api/actor.js'
import { readExecInput } from '../../src/api/exec-terminal.js'
import { readPageToken } from '../../src/api/fleet/pages.js'
import { originForm } from '../../src/api/request-target.js'
import { parseMetaFile } from '../../src/cli/meta-file.js'
import { parseNewMachine } from '../../src/cli/new-machine.js'
import { parseEndpoint } from '../../src/client/endpoint.js'
import { importCompose } from '../../src/compose-import/compose.js'
import { parseEnvironmentFile as parseContainerEnvironment } from '../../src/drivers/docker/environment-file.js'
import { pullFailure } from '../../src/drivers/docker/pull-failure.js'
import { readContainer } from '../../src/drivers/docker/reader.js'
import { readService } from '../../src/drivers/process/read-service.js'
import { readJournalLine } from '../../src/drivers/systemd/journal.js'
import { isAddress, isPublicAddress } from '../../src/lib/address.js'
import { parseCron } from '../../src/lib/cron-line.js'
import { parseDurationMs } from '../../src/lib/duration.js'
import { parseInterval } from '../../src/lib/interval.js'
import { compileRegex } from '../../src/lib/regex.js'
import { parseRetryAfter } from '../../src/lib/retry-after.js'
import { parseConfigFile } from '../../src/main/config-file.js'
import { parseAffinity } from '../../src/manifest/affinity.js'
import { imageProblem } from '../../src/manifest/image-reference.js'
import { parsePackageList } from '../../src/manifest/package-list.js'
import { parseSizeMb } from '../../src/manifest/quantities.js'
import { standIns } from '../../src/manifest/stand-ins.js'
import { renderText } from '../../src/manifest/template.js'
import { splitWords as splitCommand } from '../../src/manifest/words.js'
import { readCnsLabels } from '../../src/model/cns-labels.js'
import { hasErrors } from '../../src/model/diagnostic.js'
import { parseMetricSource } from '../../src/model/metric.js'
import { parseEnvironmentFile } from '../../src/supervisor/environment-file.js'
import { replayJournal } from '../../src/supervisor/journal.js'
import { parseProcStat } from '../../src/supervisor/proc-stat.js'
import { parseAffinity as parseUnitAffinity } from '../../src/unit/affinity.js'
import { checkUnit } from '../../src/unit/check.js'
import { parseExec } from '../../src/unit/exec.js'
import { compileGlob } from '../../src/unit/glob.js'
import { asUnitName, toUnitName } from '../../src/unit/name.js'
import { parseUnit, parseUnitAsFleet } from '../../src/unit/parse.js'
import { parsePorts } from '../../src/unit/ports.js'
import { printInOrder, unitHash } from '../../src/unit/print.js'
import { requirementsOf } from '../../src/unit/requirements.js'
import { expandSpecifiers } from '../../src/unit/specifiers.js'
import { parseSize, parseTimeSpan } from '../../src/unit/values.js'
import { splitWords } from '../../src/unit/words.js'
import { read } from '../manifest/reading.js'
import { cases, longTexts, openRandom, seed, signs, textOf } from './random.js'

interface Parser {
  readonly words: readonly string[]
  readonly parse: (text: string) => unknown
  /** How long a text it is given. */
  readonly longest?: number
}

const name = asUnitName('web@1.service')
const context = { name, machine: { id: 'a'.repeat(32), hostname: 'north' } }
const known = standIns('web')
const durations = [
  '30',
  '1.5',
  '5m',
  ' minutes',
  'PT',
  'P1D',
  'T12H',
  'W',
  'ms',
  '-',
  '1m30s',
  'M',
  'S',
  'µs',
]
const sizes = ['1', '512', 'M', 'MiB', 'G', 'kB', '1.5', 'infinity', 'T', '10%']
const unitWords = [
  ...[
    '[Service]\n',
    '[Unit]\n',
    '[Container]\n',
    '[X-Fleet]\n',
    '[X-Mariposa]\n',
    '[Install]\n',
    '[toString]\n',
  ],
  ...[
    'ExecStart=/bin/sh -c "x"',
    'Environment=A=b',
    'Image=app:1',
    'PublishPort=80:8080',
    'MachineOf=a.service',
  ],
  ...['Conflicts=*', 'Global=true', 'MachineMetadata=a=b', 'Memory=1G', 'HealthCheck=http port=80 path=/'],
  ...[
    'Affinity=service!=web',
    'Restart=always',
    'TimeoutStopSec=5min 20s',
    'Label=a=b',
    'Volume=/a:/b',
    '=',
    'Port=80',
  ],
  ...[
    'User=me',
    'KillSignal=SIGTERM',
    'MemoryMax=1G',
    'LimitNOFILE=1:2',
    'EnvironmentFile=-/x',
    '#c\n',
    ';c\n',
  ],
]
/** What the library for YAML is given here; requests and files have limits of their own. */
const ofYaml = 2_000
const yamlWords = [
  'a: ',
  '- ',
  'b: c',
  '&l ',
  '*l',
  '<<: ',
  '|\n',
  '>-\n',
  '"q"',
  "'s'",
  '[',
  '{',
  '? ',
  '!!str ',
  '---\n',
]
const manifestWords = [
  ...[
    'name: web\n',
    'image: nginx:1\n',
    'command: [/bin/x]\n',
    'compute_type: process\n',
    'ports: ["80:8080"]\n',
  ],
  ...[
    'healthchecks:\n  - {type: http, port: 80}\n',
    'memory: 512M\n',
    'schedule: "* * * * *"\n',
    'restart: always\n',
  ],
  ...[
    'environment:\n  A: "{{ .meta.x }}"\n',
    'affinity:\n  - service!=web\n',
    'stop: {timeout: 5}\n',
    'tags:\n  a: b\n',
  ],
]

const parsers: Readonly<Record<string, Parser>> = {
  durations: { words: durations, parse: parseDurationMs },
  intervals: {
    words: ['R', 'R5/', '/', '2026-01-01T00:00:00Z', 'P1D', 'PT1H', '+01:00', 'P1Y2M', 'Z'],
    parse: parseInterval,
  },
  'cron lines': {
    words: ['* ', '*/5 ', '0 ', '1-5 ', 'MON,', 'L', '5W', '#2', '@daily', 'CRON_TZ='],
    parse: parseCron,
  },
  'regular expressions': {
    words: ['(', ')', '|', '[a-z]', '[^x]', '*', '+', '?', '{2,3}', '^', '$', '\\d', '.', 'a'],
    parse: (text) => {
      const matcher = compileRegex(text)
      return typeof matcher === 'function' && matcher('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab')
    },
  },
  globs: {
    words: ['*', '?', '[a-z]', '[!x]', '\\', 'web', '.service'],
    parse: (text) => compileGlob(text)?.('web-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab.service'),
  },
  'retry-after': {
    words: ['120', 'Wed, 21 Oct 2026 07:28:00 GMT'],
    parse: (text) => parseRetryAfter(text, 0),
  },
  addresses: {
    words: ['10.0.0.1', '::', 'fe80::1', 'ffff:', '%eth0', '[', ']', '1.2.3', '::ffff:1.2.3.4'],
    parse: (text) => [isAddress(text), isPublicAddress(text)],
  },
  units: {
    words: unitWords,
    parse: (text) => {
      const { file, diagnostics } = parseUnit(text)
      parseUnitAsFleet(text)
      checkUnit(file, name)
      requirementsOf(file, name)
      readService(file, context)
      readContainer(file, context)
      unitHash(text)
      return hasErrors(diagnostics) ? null : printInOrder(file)
    },
  },
  words: { words: ['a b', '"a', "'b'", '\\x41', '\\u00e9', '\\'], parse: splitWords },
  'command lines': {
    words: ['-', '@', '!!', '/bin/sh', ';', '${A}', '$A', '%i', '"x"', '\\;'],
    parse: (text) => parseExec(text, context),
  },
  specifiers: { words: ['%i', '%%', '%n', '%H', '%p'], parse: (text) => expandSpecifiers(text, context) },
  'unit names': { words: ['web', '@', '.service', '.timer', '-1', '\\x2d', ':'], parse: toUnitName },
  'time spans': { words: ['5min', '20s', ' ', 'infinity', '1h', 'ms', '2.5', 'us'], parse: parseTimeSpan },
  sizes: { words: sizes, parse: (text) => [parseSize(text), parseSizeMb(text)] },
  'ports of units': {
    words: ['80', ':', '8080-8090', '/udp', '127.0.0.1', '[::1]', '-', '0'],
    parse: (text) => parsePorts(text, 'chosen'),
  },
  'affinities of units': { words: ['a', '==', '!=~', '/x.*/', '*', 'service'], parse: parseUnitAffinity },
  affinities: { words: ['container', '==', '!=~', '/x.*/', '*', 'a=b', '=='], parse: parseAffinity },
  'command texts': { words: ['a b', '"a', "'b'", '\\', '$(x)', '&&', '|', '>'], parse: splitCommand },
  templates: {
    words: [
      '{{ ',
      ' }}',
      '.meta.x',
      'default ',
      '"y"',
      '.instance.name',
      '.this.uuid',
      '{{{',
      '\\{{',
      'meta.a.b',
    ],
    parse: (text) => renderText(text, known, 'deploy'),
  },
  images: { words: ['nginx', ':1', '@sha256:', 'a'.repeat(64), '/', 'host:5000/'], parse: imageProblem },
  'names of services': {
    words: ['web', ':8080', ':priority=1', ',', ':weight=20'],
    parse: (text) => readCnsLabels({ 'triton.cns.services': text, 'triton.cns.reverse_ptr': text }),
  },
  metrics: { words: ['web', '::', 'mem_agg_usage', 'rate(', ')', '{a="b"}'], parse: parseMetricSource },
  expositions: {
    words: ['# TYPE a counter\n', 'a{b="c"} 1\n', 'a 1e9 17\n', 'NaN', '+Inf'],
    parse: parseExposition,
  },
  'environment files': { words: ['A=b\n', 'export A=', '"x', '# c\n', '\\\n'], parse: parseEnvironmentFile },
  "Docker's environment files": { words: ['A=b\n', 'A\n', '# c\n'], parse: parseContainerEnvironment },
  "Docker's words": {
    words: ['manifest unknown', 'toomanyrequests', 'denied', 'x509', 'no such host'],
    parse: (text) => pullFailure('a:1', text),
  },
  'journals of the supervisor': {
    words: ['{"unit":"a.service"', '}\n', '{"v":1}\n', '[]\n'],
    parse: replayJournal,
  },
  'stat of processes': { words: ['1 (a) S ', '1 ', ') ', '-1 '], parse: parseProcStat },
  "lines of systemd's journal": {
    words: ['{"MESSAGE":"x"', ',"__REALTIME_TIMESTAMP":"1"', '}', '[1,2]', ':null'],
    parse: readJournalLine,
  },
  tokens: { words: ['read ', 'write ', 'a'.repeat(16), '\n', '# c\n'], parse: readTokens },
  callers: {
    words: ['ann', '\x7f', 'a'.repeat(50)],
    parse: (text) => describeActor({ 'x-mariposa-user': text }, null),
  },
  'input of exec': {
    words: ['{"base64":"', 'YQ==', '"}', '{"columns":1,"rows":2}', '{"detach":true}'],
    parse: readExecInput,
  },
  'tokens of pages': { words: ['ZAABAA==', 'ZAAC', '='], parse: (text) => readPageToken([text]) },
  'request targets': { words: ['/v1/units', 'http://a', '?a=b', '%2f', '//', '#'], parse: originForm },
  endpoints: { words: ['unix://', '/run/x', 'http://', 'a', ':80', 'https://[::1]'], parse: parseEndpoint },
  'files of meta': {
    words: ['a: b\n', '{"a": 1}', 'a=b\n', '- x\n'],
    longest: ofYaml,
    parse: (text) => parseMetaFile({ file: 'meta.yml', text }),
  },
  'new machines': {
    words: ['memory=1G', ',', 'drivers=docker', 'region=north', '3x'],
    parse: parseNewMachine,
  },
  'configuration in YAML': {
    words: ['listen: unix:/a\n', 'metadata: {a: b}\n', 'no-agent: true\n', ...yamlWords],
    longest: ofYaml,
    parse: (text) => parseConfigFile('m.yml', text),
  },
  'fleet.conf': {
    words: ['public_ip="1.2.3.4"\n', 'etcd_servers=["http://a:1"]\n', 'metadata=a=b\n', '# c\n'],
    parse: (text) => parseConfigFile('fleet.conf', text),
  },
  packages: {
    words: ['- {name: own-1G, ram: 1G}\n', 'disk: 25G', ...yamlWords],
    longest: ofYaml,
    parse: (text) => parsePackageList({ file: 'p.yml', text }),
  },
  manifests: { words: [...manifestWords, ...yamlWords], longest: ofYaml, parse: (text) => read(text) },
  'Compose files': {
    words: ['services:\n  web:\n    image: a\n', '    ports: ["80:80"]\n', ...yamlWords],
    longest: ofYaml,
    parse: (text) => importCompose({ file: 'docker-compose.yml', text }),
  },
}

const each = Object.entries(parsers)

describe('every parser', { timeout: 3_600_000 }, () => {
  test.each(each)('answers whatever it is given: %s', (what, { words, parse }) => {
    const random = openRandom(seed * 1000 + each.findIndex(([one]) => one === what))
    for (let left = Math.ceil(cases / each.length); left > 0; left--) {
      const text = textOf(random, words)
      try {
        parse(text)
      } catch (cause) {
        expect.fail(`FUZZ_SEED=${seed}: ${what} of ${JSON.stringify(text)}: ${String(cause)}`)
      }
    }
  })
})

/** What takes a time that grows with the square of the length takes minutes for these, and the test ends by its limit. */
describe('every parser, of a long text', () => {
  test.each(each)('answers: %s', (_what, { words, parse, longest = longTexts }) => {
    for (const part of new Set([...words, ...signs])) {
      const repeated = part.repeat(Math.ceil(longest / part.length))
      parse(repeated)
      parse(`${words[0]}${repeated}!`)
    }
  })
})
