import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SpareFiles } from '../../src/supervisor/io/spare-files.js'
import { removeDir } from '../remove-dir.js'

describe('spare files', () => {
  let dir = ''
  let folder = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'mariposa-spares-'))
    folder = join(dir, 'spares')
  })
  afterEach(() => removeDir(dir))

  const open = (count: number): SpareFiles => new SpareFiles({ folder, count, restMs: 0 })
  const thereAre = (count: number) => vi.waitFor(() => expect(readdirSync(folder)).toHaveLength(count))

  it('are made up to their number, and made again when some were taken', async () => {
    const spares = open(3)
    await thereAre(3)
    expect(spares.take(join(dir, 'a.log'))).toBe(true)
    await thereAre(3)
    expect(readFileSync(join(dir, 'a.log'), 'utf8')).toBe('')
    expect(statSync(join(dir, 'a.log')).mode & 0o777).toBe(0o600)
    spares.close()
  })

  it('are taken over from an earlier holder', () => {
    mkdirSync(folder)
    writeFileSync(join(folder, '1-1'), '')
    const spares = open(1)
    expect(spares.take(join(dir, 'a.log'))).toBe(true)
    expect(spares.take(join(dir, 'b.log'))).toBe(false)
    spares.close()
  })

  it('that somebody removed are not given', async () => {
    const spares = open(1)
    await thereAre(1)
    removeDir(folder)
    expect(spares.take(join(dir, 'a.log'))).toBe(false)
    spares.close()
  })
})
