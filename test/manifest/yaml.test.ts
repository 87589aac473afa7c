// The reader of YAML: what aliases stand for, and that much text is read in many small steps.
import { describe, expect, test } from 'vitest'
import { openNotes } from '../../src/manifest/notes.js'
import { treesInSteps } from '../../src/manifest/read-tree.js'
import { childOf, plainOf, type TreeDocument } from '../../src/manifest/tree.js'

interface Read {
  readonly documents: readonly TreeDocument[]
  readonly problems: readonly string[]
  readonly steps: number
}

function read(text: string): Read {
  const source = { file: 'web.yml', text }
  const notes = openNotes(source)
  const reading = treesInSteps(source, notes)
  for (let steps = 1; ; steps++) {
    const step = reading.next(true)
    if (step.done === true) {
      return { documents: step.value, problems: notes.diagnostics.map(({ code }) => code), steps }
    }
  }
}

describe('shared values', () => {
  const shared = 'x-common: &common\n  image: nginx\n  restart: always\nservices:\n'
  const services = (count: number) =>
    Array.from({ length: count }, (_, n) => `  web${n}:\n    <<: *common\n    scale: ${n}\n`).join('')

  test('are read as often as they are mentioned', () => {
    const { documents, problems } = read(shared + services(3))
    expect(problems).toEqual([])
    const all = documents[0] && childOf(documents[0].root, 'services')
    expect(all && plainOf(all)).toEqual({
      web0: { image: 'nginx', restart: 'always', scale: '0' },
      web1: { image: 'nginx', restart: 'always', scale: '1' },
      web2: { image: 'nginx', restart: 'always', scale: '2' },
    })
  })

  test('are counted each time', () => {
    const { documents, problems } = read(shared + services(5_500))
    expect([documents, problems]).toEqual([[], ['manifest/too-many-nodes']])
  })
})

test('a text of a thousand services is read in hundreds of steps', () => {
  const services = Array.from({ length: 1_000 }, (_, n) => `  web${n}: {image: nginx, ports: [80, 443]}\n`)
  const { documents, problems, steps } = read(`services:\n${services.join('')}`)
  expect([documents.length, problems]).toEqual([1, []])
  expect(steps).toBeGreaterThan(200)
})
