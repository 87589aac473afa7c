import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const script = join(import.meta.dirname, '..', '..', 'scripts', 'vocabulary.mjs')

it('the vocabulary lists every exported type that crosses a folder, and no other', async () => {
  const run = promisify(execFile)(process.execPath, [script, '--check'])
  await expect(run).resolves.toMatchObject({ stderr: '' })
})
