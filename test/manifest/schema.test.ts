import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the published schemas and the reference page are fresh', () => {
  expect(() =>
    execFileSync(process.execPath, ['scripts/schema.mjs', '--check'], { stdio: 'pipe' }),
  ).not.toThrow()
})
