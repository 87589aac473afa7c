// Whatever stands in a Compose file stands in the manifest, or is told of.
import { describe, expect, test } from 'vitest'
import { errorsIn, imported, printed } from './importing.js'

/** Of a service, in one line; `zzz` is what has to be told. */
const ofService = [
  'healthcheck: {test: [CMD, x], zzz: 1}',
  'healthcheck: {test: [CMD, x], disable: zzz}',
  'env_file: [{path: a.env, zzz: 1}]',
  'devices: [{source: /dev/a, zzz: 1}]',
  'devices: [{source: /dev/a, permissions: {zzz: 1}}, {source: /dev/zzz}]',
  'gpus: [{count: 1, driver: zzz}]',
  'gpus: [{count: 1, capabilities: [gpu, zzz]}]',
  'gpus: [{count: 1, options: {zzz: 1}}]',
  'gpus: [{count: 1, zzz: 1}]',
  'depends_on: {other: {condition: service_started, zzz: 1}}',
  'depends_on: {other: zzz}',
  'volumes: [{type: bind, source: /a, target: /b, read_only: zzz}]',
  'volumes: [{type: tmpfs, target: /b, tmpfs: {mode: 0zzz}}]',
  'volumes: [{type: tmpfs, target: /b, tmpfs: {zzz: 1}}]',
  'volumes: [{type: tmpfs, target: /b, tmpfs: zzz}]',
  'configs: [declared]',
  'deploy: {resources: {zzz: {cpus: 1}}}',
  'deploy: {resources: {limits: zzz}}',
  'deploy: {resources: {limits: [zzz]}}',
  'deploy: {restart_policy: {condition: [zzz]}}',
  'deploy: {placement: {preferences: [{spread: node.labels.a}, zzz]}}',
  'deploy: {placement: {preferences: zzz}}',
]

const declared = 'configs: {declared: {content: hi, zzz: 1}}\nvolumes: {declared: {zzz: 1}}\n'

function importOf(line: string) {
  const text = `services:\n  other: {image: x, restart: always}\n  web:\n    image: x\n    restart: always\n    ${line}\n${declared}`
  return imported(text, 'docker-compose.yml', { 'a.env': 'A=1\n' })
}

describe('nothing is left out without a word', () => {
  test.each(ofService)('%s', (line) => {
    const result = importOf(line)
    expect(errorsIn(result)).toEqual([])
    expect(printed(result).split('\nservices:')[1]).toContain('zzz')
  })

  test.each(['depends_on: [other, {a: b}]', 'depends_on: {other: [a]}'])('%s', (line) => {
    expect(printed(importOf(line))).toContain('# not carried over: depends_on')
  })

  test.each([
    'configs: zzz',
    'secrets: [zzz]',
    'volumes: zzz',
    'volumes: {a: zzz}',
    'volumes: {a: {zzz: 1}}',
  ])('of the file: %s', (line) => {
    expect(printed(imported(`services: {web: {image: x, restart: always}}\n${line}\n`))).toContain('zzz')
  })
})

describe('the words that Compose takes for true and false', () => {
  test.each(['true', '"true"', 'yes', 'on', 'Y', '1'])('%s switches on', (word) => {
    const off = printed(importOf(`healthcheck: {test: [CMD, x], disable: ${word}}`))
    expect(off).toContain('healthchecks: []')
    const mounted = printed(importOf(`volumes: [{type: bind, source: /a, target: /b, read_only: ${word}}]`))
    expect(mounted).toContain('readonly: true')
    expect(printed(importOf(`privileged: ${word}`))).toContain('privileged: true')
    const restarted = printed(importOf(`depends_on: {other: {condition: service_started, restart: ${word}}}`))
    expect(restarted).toContain('# not carried over: restart (other)')
  })

  test.each(['false', 'no', 'OFF', '0'])('%s does not', (word) => {
    const result = importOf(`healthcheck: {test: [CMD, x], disable: ${word}}\n    privileged: ${word}`)
    expect(printed(result)).toContain('type: command')
    expect(printed(result)).not.toContain('privileged')
    expect(result.notes.filter(({ service }) => service === 'web')).toEqual([])
  })

  test('a variable says it only where it can be filled in', () => {
    expect(printed(importOf('privileged: ${P}'))).toContain('privileged: "{{ .meta.P }}"')
    expect(printed(importOf('healthcheck: {test: [CMD, x], disable: "${D}"}'))).toContain(
      '# not carried over: disable of the healthcheck ("{{ .meta.D }}")',
    )
  })
})

test('what is told of a text has none of its control characters, which would move the cursor of who reads it', () => {
  const result = imported('services:\n  web:\n    image: "x\\e[2J\\x85y"\n    restart: always\n')
  expect(printed(result)).toContain('is not a Docker image')
  expect(printed(result)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
})
