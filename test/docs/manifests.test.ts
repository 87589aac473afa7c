// The parts of manifests that the pages show are accepted as they stand, in a manifest with what is missing beside them.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readManifests } from '../../src/manifest/manifest.js'
import { standIns } from '../../src/manifest/stand-ins.js'
import { blocksOf, root } from './pages.js'

/** Pages whose YAML is none of a manifest, but of a daemon or of another program. */
const others = ['docs/cluster.md', 'docs/metrics.md', 'docs/policy.md']
const pages = readdirSync(join(root, 'docs'))
  .flatMap((file) => (file.endsWith('.md') ? [`docs/${file}`] : []))
  .filter((page) => !others.includes(page))

/** Each of the parts of a page that stand for themselves, `# or` being between two. */
function partsOf(page: string): readonly string[] {
  return blocksOf(page, 'yaml')
    .flatMap((block) => block.split(/^# or\n/m))
    .filter((part) => /^[a-z]/m.test(part) && !/^packages:/m.test(part) && !/^ {4}/.test(part))
}

/** A manifest that has the part. */
function completed(part: string): string {
  const has = (key: string): boolean => new RegExp(`^${key}:`, 'm').test(part)
  if (has('services')) return has('name') ? part : `name: shop\n${part}`
  const runs = has('schedule') ? 'service_type: scheduled\n' : 'service_type: event\n'
  const isRun = ['schedule', 'concurrency', 'timeout', 'retries'].some(has) && !has('service_type')
  const image = has('image') || has('compute_type') ? '' : 'image: registry.example/web\n'
  const beside = Object.entries(needed).flatMap(([key, [what, line]]) =>
    has(key) && !has(what) ? [`${line}\n`] : [],
  )
  return `${part}${has('name') ? '' : 'name: web\n'}${image}${isRun ? runs : ''}${beside.join('')}`
}

/** What a key does not stand without: another one, as a line. */
const needed: Readonly<Record<string, readonly [string, string]>> = {
  entry: ['ports', 'ports: [8080, 5432]'],
  init_timeout: ['init_steps', 'init_steps: [./prepare]'],
  memory_swap: ['memory', 'memory: 512'],
  triggers: ['memory', 'memory: 512'],
}

describe('the manifests', () => {
  it.each(pages)('of %s are accepted', (page) => {
    const problems = partsOf(page).flatMap((part) => {
      const { diagnostics } = readManifests([{ file: 'web.yml', text: completed(part) }], (name) => ({
        ...standIns(name),
        project: { name: 'shop' },
        meta: { values: new Map(), complete: false },
      }))
      return diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(({ line, message }) => `${message} (line ${line} of ${part})`)
    })
    expect(problems).toEqual([])
  })
})
