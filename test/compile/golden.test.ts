// Manifests as authors write them, with the units that they compile to on record. `npx vitest run --project local
// test/compile -u` writes the records anew; the diff is the review.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type CompiledVersion, compileVersion } from '../../src/compile/compile.js'
import { notSupportedYet } from '../../src/compile/support.js'
import { defaultCnsSuffixes } from '../../src/manifest/cns.js'
import { defaultPackages } from '../../src/manifest/default-packages.js'
import { inSource, readManifests } from '../../src/manifest/manifest.js'
import type { DeployVariables } from '../../src/manifest/variables.js'
import type { Diagnostic } from '../../src/model/diagnostic.js'
import { checkUnit } from '../../src/unit/check.js'
import { withInstance } from '../../src/unit/name.js'
import { parseUnit } from '../../src/unit/parse.js'

const folder = new URL('golden/', import.meta.url)
const files = readdirSync(folder).filter((file) => /\.(yml|json)$/.test(file))
const version = '0b2f8a52-3c1d-5e6f-8a9b-0c1d2e3f4a5b'

describe('manifests and their units', () => {
  it('are many', () => {
    expect(files.length).toBeGreaterThanOrEqual(40)
  })

  it.each(files)('%s gives what is on record', async (file) => {
    const text = readFileSync(new URL(file, folder), 'utf8')
    const { manifests, diagnostics } = readManifests([{ file, text }], variablesOf, defaultPackages)
    const units = manifests.map((read) => {
      const input = { project: 'shop', version: { uuid: version, ordinal: 2 }, ...read }
      const { diagnostics: found, ...unit } = compileVersion(input)
      return { ...unit, diagnostics: found.map((one) => inSource(one, read)) }
    })
    for (const unit of units) expectFineUnit(unit)
    const problems = [...diagnostics, ...units.flatMap((unit) => unit.diagnostics)]
    const shown = units.flatMap(({ template, text }) => (text === '' ? [] : [`# ${template}\n${text}`]))
    await expect(
      [problems.map(line).join(''), ...shown].filter((part) => part !== '').join('\n'),
    ).toMatchFileSnapshot(`golden/${file.replace(/\.\w+$/, '.service')}`)
  })
})

/** What is not empty is read back without a complaint, the sections in their order. */
function expectFineUnit({ template, text, diagnostics }: CompiledVersion): void {
  expect(diagnostics.filter(({ code }) => code !== notSupportedYet)).toEqual([])
  if (text === '') return
  const { file, diagnostics: found } = parseUnit(text)
  expect([...found, ...checkUnit(file, withInstance(template, 7))]).toEqual([])
  const sections = [...new Set(file.options.map(({ section }) => section))]
  const order = ['Unit', 'Service', 'Container', 'X-Fleet', 'X-Mariposa']
  expect(sections).toEqual(order.filter((section) => sections.includes(section)))
}

function line({ severity, code, path, line, message }: Diagnostic): string {
  return `# ${severity} ${code} at ${path ?? '/'}${line === undefined ? '' : ` in line ${line}`}: ${message}\n`
}

const meta = new Map([
  ['metakey', 'of-the-project'],
  ['db.host', 'db.example'],
  ['db.password', null],
])

function variablesOf(name: string): DeployVariables {
  return {
    project: { name: 'shop' },
    service: { name, uuid: 'c0ffee00-3c1d-5e6f-8a9b-0c1d2e3f4a5b', version, ordinal: 2 },
    scale: 3,
    meta: { values: meta, complete: true },
    package: null,
    cns: defaultCnsSuffixes,
  }
}
