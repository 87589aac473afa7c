// The file that `discovery render` writes anew.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openRendered } from '../../src/cli/io/rendered-file.js'
import { removeDir } from '../remove-dir.js'

test("what a process of the same number left half written when it was killed is in nobody's way", async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-rendered-'))
  onTestFinished(() => removeDir(dir))
  writeFileSync(join(dir, `.out.mariposa-${process.pid}`), 'ha')
  const file = await openRendered(join(dir, 'out'), { out: () => {} })
  expect(await file.write('whole')).toBe(true)
  expect(readFileSync(join(dir, 'out'), 'utf8')).toBe('whole')
  expect(readdirSync(dir)).toEqual(['out'])
})
