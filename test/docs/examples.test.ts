import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compileVersion } from '../../src/compile/compile.js'
import { readManifests } from '../../src/manifest/manifest.js'
import { standIns } from '../../src/manifest/stand-ins.js'
import type { DeployVariables } from '../../src/manifest/variables.js'
import { checkUnit } from '../../src/unit/check.js'
import { withInstance } from '../../src/unit/name.js'
import { parseUnit } from '../../src/unit/parse.js'
import { root } from './pages.js'

const examples = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yml'))
  .sort()

describe('the examples', () => {
  it('are there', () => {
    expect(examples.length).toBeGreaterThanOrEqual(4)
  })

  // `npx vitest run --project local test/docs -u` writes the units anew; the diff is the review.
  it.each(examples)('%s is without a problem and compiles to the unit on record', async (file) => {
    // Those of a folder are deployed together: they may ask where the others are.
    const beside = examples.filter((one) => dirname(one) === dirname(file))
    const sources = beside.map((one) => ({
      file: one,
      text: readFileSync(join(root, 'examples', one), 'utf8'),
    }))
    const { manifests, diagnostics } = readManifests(sources, variablesOf)
    expect(diagnostics).toEqual([])
    const own = manifests.filter((one) => one.file === file)
    expect(own.length).toBeGreaterThan(0)
    for (const { manifest, package: chosen } of own) {
      const version = { uuid: '0b2f8a52-3c1d-5e6f-8a9b-0c1d2e3f4a5b', ordinal: 1 }
      const compiled = compileVersion({ project: 'default', manifest, package: chosen, version, file })
      expect(compiled.diagnostics).toEqual([])
      const unit = parseUnit(compiled.text)
      expect([...unit.diagnostics, ...checkUnit(unit.file, withInstance(compiled.template, 1))]).toEqual([])
      await expect(compiled.text).toMatchFileSnapshot(`golden/${manifest.name}.service`)
    }
  })
})

/** The metadata that the comments of the examples tell to set. */
function variablesOf(name: string): DeployVariables {
  const keys = ['mysql_password', 'mysql_root_password', 'backup_host']
  const values = new Map(keys.map((key) => [key, `the ${key}`]))
  return { ...standIns(name), meta: { values, complete: true } }
}
