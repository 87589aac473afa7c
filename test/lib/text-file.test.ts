// Files that are named in options: whoever reads one is not held up, whatever it is.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readTextFile, readTextFileLater } from '../../src/lib/io/text-file.js'
import { removeDir } from '../remove-dir.js'

const dir = mkdtempSync(join(tmpdir(), 'mariposa-texts-'))
afterAll(() => removeDir(dir))

describe.each([
  ['at once', async (path: string) => readTextFile(path)],
  ['later', readTextFileLater],
])('the text of a file, read %s', (_, read) => {
  it('is what a regular file holds', async () => {
    writeFileSync(join(dir, 'text'), 'ein Schlüssel\n')
    expect(await read(join(dir, 'text'))).toBe('ein Schlüssel\n')
    expect(await read('/proc/self/mounts')).not.toBe('')
  })

  it('is refused where it has no end, waits for somebody, or is none', async () => {
    execFileSync('mkfifo', [join(dir, 'fifo')])
    writeFileSync(join(dir, 'large'), '')
    truncateSync(join(dir, 'large'), 2 ** 30)
    await expect(read(join(dir, 'fifo'))).rejects.toThrow('it is a FIFO, and no regular file')
    await expect(read(dir)).rejects.toThrow('it is a directory, and no regular file')
    await expect(read('/dev/zero')).rejects.toThrow('it is a device, and no regular file')
    await expect(read(join(dir, 'large'))).rejects.toThrow('it is larger than 16 MiB')
    await expect(read(join(dir, 'none'))).rejects.toThrow('ENOENT')
    rmSync(join(dir, 'fifo'))
  })
})
