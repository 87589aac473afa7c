import { describe, expect, test } from 'vitest'
import { checkAfter } from '../../src/manifest/check-after.js'
import { readManifests } from '../../src/manifest/manifest.js'
import { standIns } from '../../src/manifest/stand-ins.js'
import type { After } from '../../src/model/after.js'

const set = (text: string) => readManifests([{ file: 'shop.yml', text }], standIns)

function afterOf(text: string): unknown {
  const { manifests, diagnostics } = set(`image: x\nname: web\n${text}`)
  return diagnostics.length > 0
    ? diagnostics.map(({ code, message }) => `${code}: ${message}`)
    : manifests[0]?.manifest.after
}

describe('after', () => {
  test.each<[string, readonly After[]]>([
    ['after: db', [{ service: 'db', condition: 'started' }]],
    [
      'after: [db, cache]',
      [
        { service: 'db', condition: 'started' },
        { service: 'cache', condition: 'started' },
      ],
    ],
    ['after: [{service: db, condition: healthy}]', [{ service: 'db', condition: 'healthy' }]],
    ['after: {service: migrate, condition: completed}', [{ service: 'migrate', condition: 'completed' }]],
    ['after: [{service: db}]', [{ service: 'db', condition: 'started' }]],
  ])('%s', (text, after) => {
    expect(afterOf(text)).toEqual(after)
  })

  test.each([
    [
      'after: [{service: db, condition: ready}]',
      'manifest/bad-value: condition is "ready", expected one of started, healthy, completed',
    ],
    ['after: [{condition: healthy}]', 'manifest/missing: service is missing'],
    ['after: [db, db]', 'manifest/conflict: db is named already, on line 3'],
    ['after: [web]', 'manifest/cycle: web cannot wait for itself'],
    ['after: [Data]', 'manifest/bad-value: service is "Data", expected the name of a service of the project'],
    ['after: [{service: db, when: healthy}]', 'manifest/unknown-key: there is no key "when"'],
  ])('%s is refused', (text, problem) => {
    expect(String(afterOf(text))).toContain(problem)
  })
})

const project = (services: Readonly<Record<string, string>>): string =>
  `services:\n${Object.entries(services)
    .map(([name, rest]) => `  ${name}: {image: x${rest === '' ? '' : `, ${rest}`}}\n`)
    .join('')}`

function problems(
  text: string,
  complete = false,
  existing: Readonly<Record<string, readonly After[]>> = {},
): readonly string[] {
  const { manifests, diagnostics } = set(text)
  expect(diagnostics).toEqual([])
  const services = new Map(
    Object.entries(existing).map(([name, after]) => [name, { type: 'continuous' as const, after }]),
  )
  return checkAfter(manifests, { services, complete }).map(
    ({ code, line, message, hint }) => `${code} ${line}: ${message} (${hint})`,
  )
}

describe('the services of one change', () => {
  test('come up after each other in no circle, which is told once and named', () => {
    const text = project({
      db: 'after: [web]',
      api: 'after: [db]',
      web: 'after: [api]',
      other: 'after: [web]',
    })
    expect(problems(text)).toEqual([
      'manifest/cycle 2: these services wait for each other in a circle: db after web after api after db (take one of them out of after)',
    ])
  })

  test('nor in one with services that are there', () => {
    const existing = { db: [{ service: 'web', condition: 'started' as const }] }
    expect(problems(project({ web: 'after: [db]' }), true, existing)).toEqual([
      'manifest/cycle 2: these services wait for each other in a circle: web after db after web (take one of them out of after)',
    ])
  })

  test('name services that are there, where that is known', () => {
    const text = project({ database: '', web: 'after: [databse]' })
    expect(problems(text)).toEqual([])
    expect(problems(text, true)).toEqual([
      'manifest/unknown-service 3: there is no service "databse" in the project (did you mean database?)',
    ])
    expect(problems(project({ web: 'after: [db]' }), true, { db: [] })).toEqual([])
  })

  test('wait for what can be: only runs complete, and have no health', () => {
    const text = project({
      db: '',
      job: 'service_type: event',
      web: 'after: [{service: db, condition: completed}, {service: job, condition: healthy}]',
    })
    expect(problems(text)).toEqual([
      'manifest/conflict 4: db is continuous and never completes (write started or healthy, or service_type: event for it)',
      'manifest/conflict 4: job is a service of the type event, whose runs end (write started or completed)',
    ])
  })
})
