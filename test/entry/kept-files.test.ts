// What the keeper of the proxy finds on disk, after a full disk or a failing one as well.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keptFiles, keptIn, keptListens, keptTable } from '../../src/entry/io/kept-files.js'
import { TcpProxies } from '../../src/entry/io/tcp-proxies.js'
import { silentLog } from '../../src/lib/io/log.js'
import { removeDir } from '../remove-dir.js'

function folderWith(texts: Partial<Record<keyof typeof keptFiles, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-kept-files-'))
  onTestFinished(() => removeDir(dir))
  for (const [file, text] of Object.entries(texts))
    writeFileSync(join(dir, keptFiles[file as keyof typeof keptFiles]), text)
  return dir
}

test('what was told last is there', () => {
  const listens = [{ host: '', port: 5432, group: 'g' }]
  const table = { g: [{ address: '10.0.0.1', port: 5432, copies: 1 }] }
  const dir = folderWith({ tcp: JSON.stringify(listens), upstreams: JSON.stringify(table) })
  expect([keptListens(dir), keptTable(dir), keptIn(dir)]).toEqual([listens, table, { hasTcp: true }])
})

test('a keeper begins with nothing where that is damaged, and does not fail for ever', async () => {
  for (const text of ['', '[{"ho', 'null', '"x"', '7']) {
    const dir = folderWith({ tcp: text, upstreams: text })
    expect([keptListens(dir), keptTable(dir), keptIn(dir)]).toEqual([[], {}, null])
    await new TcpProxies(dir, silentLog, () => keptTable(dir)).close()
  }
})
