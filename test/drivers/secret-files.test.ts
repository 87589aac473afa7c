import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSecretFiles } from '../../src/drivers/io/secret-files.js'
import { asUnitName } from '../../src/unit/name.js'
import { removeDir } from '../remove-dir.js'

test('secrets of other units than those that are there are removed, and the directory with the last', () => {
  const above = mkdtempSync(join(tmpdir(), 'secret-files-'))
  onTestFinished(() => removeDir(above))
  const dir = join(above, 'secrets')
  const secrets = openSecretFiles(dir)
  for (const name of ['a.service', 'b.service']) secrets.write(asUnitName(name), { KEY: 'secret' })
  secrets.keepOnly(new Set(['b.service', 'c.service']))
  expect(readdirSync(dir)).toEqual(['b.service'])
  secrets.keepOnly(new Set())
  expect(existsSync(dir)).toBe(false)
})
