// What is written anew as a whole, under a name that may be a link, a pipe or a device.
import { execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findFileToWrite } from '../../src/cli/io/file-to-write.js'
import { openRendered, writeWhole } from '../../src/cli/io/rendered-file.js'
import { sumBeside } from '../../src/cli/io/sums.js'
import { removeDir } from '../remove-dir.js'

describe('a file to write', () => {
  let dir = ''
  const at = (name: string): string => join(dir, name)

  beforeEach(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'mariposa-write-')))
  })

  afterEach(() => {
    removeDir(dir)
  })

  test('is the one that a link leads to, whether it is there yet or not', async () => {
    mkdirSync(at('disk'))
    symlinkSync('disk/now', at('middle'))
    symlinkSync('middle', at('link'))
    expect(await findFileToWrite(at('link'))).toEqual({ file: at('disk/now'), stats: null })
    writeFileSync(at('disk/now'), '')
    const found = await findFileToWrite(at('link'))
    expect([found.file, found.stats?.isFile()]).toEqual([at('disk/now'), true])
    expect((await findFileToWrite(at('none'))).file).toBe(at('none'))
  })

  test('is no device, no pipe, no directory, and no link to itself or to where nothing can be', async () => {
    execFileSync('mkfifo', [at('pipe')])
    symlinkSync('/dev/null', at('null'))
    symlinkSync('self', at('self'))
    symlinkSync('unmounted/file', at('unmounted-link'))
    for (const name of ['pipe', 'null', 'self', 'unmounted-link', '.'])
      await expect(findFileToWrite(at(name)), name).rejects.toThrow()
    await expect(findFileToWrite('/dev/stdout/x')).rejects.toThrow()
  })

  test('leaves a link that leads to nothing yet a link, once it is written', async () => {
    mkdirSync(at('disk'))
    symlinkSync('disk/now', at('link'))
    const rendered = await openRendered(at('link'), { out: () => {} })
    expect(await rendered.write('text\n')).toBe(true)
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true)
    expect(readFileSync(at('disk/now'), 'utf8')).toBe('text\n')
  })

  test('is made as a whole, and never in place of one that somebody else made meanwhile', async () => {
    const both = await Promise.allSettled(
      ['mine\n', 'theirs\n'].map((text) => writeWhole(at('now'), text, 'made')),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    writeFileSync(at('now'), 'old\n')
    await expect(writeWhole(at('now'), 'new\n', 'made')).rejects.toMatchObject({ code: 'EEXIST' })
    expect(readFileSync(at('now'), 'utf8')).toBe('old\n')
    expect(readdirSync(dir)).toEqual(['now'])
  })

  test('has its checksum beside it, where a link to it has none of its own', () => {
    symlinkSync('now', at('link'))
    writeFileSync(at('now'), '')
    expect(sumBeside(at('link'))).toBeNull()
    writeFileSync(at('now.sha256'), `${'a'.repeat(64)}  now\n`)
    expect(sumBeside(at('link'))).toBe('a'.repeat(64))
  })
})
