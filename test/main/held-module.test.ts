import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { heldModule } from '../../src/main/held-module.js'
import { removeDir } from '../remove-dir.js'

const dir = mkdtempSync(join(tmpdir(), 'mariposa-held-'))
afterAll(() => removeDir(dir))
const file = join(dir, 'module.br')

it('a held module is there when its file is gone, and has what it shares', () => {
  writeFileSync(file, brotliCompressSync("exports.shared = () => require('own:shared').name"))
  const load = heldModule('held', pathToFileURL(file), { 'own:shared': { name: 'here' } })
  rmSync(file)
  expect([load(), load()].map(({ shared }) => (shared as () => string)())).toEqual(['here', 'here'])
})

it('one whose file was emptied in place says what is to be done', () => {
  writeFileSync(file, brotliCompressSync(''))
  const load = heldModule('held', pathToFileURL(file), {})
  truncateSync(file)
  expect(load).toThrow('the file of held was emptied: restart the daemon')
})
