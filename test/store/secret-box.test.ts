import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSecretBox } from '../../src/store/io/secret-box.js'
import { randomCases } from '../random-runs.js'
import { removeDir } from '../remove-dir.js'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mariposa-secrets-'))
})
afterEach(() => removeDir(dir))

const keyFile = () => join(dir, 'keys', 'secret.key')
const open = (inUse = false) => openSecretBox({ keyFile: keyFile(), inUse: () => inUse })

describe('a secret box', () => {
  it('gives back what was sealed, also after a restart', () => {
    const box = open()
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, place) => {
        const sealed = box.seal(secret, place)
        expect(open(true).open(sealed, place)).toBe(secret)
      }),
      { numRuns: randomCases(100) },
    )
  })

  it('shows nothing of a secret, not even that two are the same', () => {
    const box = open()
    const sealed = box.seal('correct horse', 'shop/a')
    expect(sealed).not.toContain('horse')
    expect(Buffer.from(sealed.slice(2), 'base64').includes('horse')).toBe(false)
    expect(box.seal('correct horse', 'shop/a')).not.toBe(sealed)
  })

  it('makes its key with the first secret, for the owner alone', () => {
    const box = open()
    expect(readdirSync(dir)).toEqual([])
    box.seal('x', 'shop/a')
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(dir, 'keys'))).toEqual(['secret.key'])
  })

  it('takes the key that somebody else made first', () => {
    const [one, other] = [open(), open()]
    expect(other.open(one.seal('x', 'a'), 'a')).toBe('x')
  })

  it('opens nothing at another place, and nothing that was changed', () => {
    const box = open()
    const sealed = box.seal('x', 'shop/a')
    expect(() => box.open(sealed, 'shop/b')).toThrow(expect.objectContaining({ code: 'secret/wrong-key' }))
    expect(() => box.open(`${sealed.slice(0, -4)}AAAA`, 'shop/a')).toThrow(
      expect.objectContaining({ code: 'secret/wrong-key' }),
    )
    expect(() => box.open('1:', 'shop/a')).toThrow(expect.objectContaining({ code: 'secret/wrong-key' }))
  })

  it('never makes a new key where there are secrets already', () => {
    expect(() => open(true).seal('x', 'a')).toThrow(expect.objectContaining({ code: 'secret/no-key' }))
    expect(readdirSync(dir)).toEqual([])
  })

  it('refuses a key that others may read, and a file that holds none', () => {
    open().seal('x', 'a')
    chmodSync(keyFile(), 0o640)
    expect(() => open().seal('x', 'a')).toThrow(expect.objectContaining({ code: 'secret/key-exposed' }))
    writeFileSync(keyFile(), `${readFileSync(keyFile(), 'utf8').slice(0, 20)}\n`)
    chmodSync(keyFile(), 0o600)
    expect(() => open().seal('x', 'a')).toThrow(expect.objectContaining({ code: 'secret/bad-key' }))
  })

  it('says where its key cannot be kept', () => {
    writeFileSync(join(dir, 'keys'), '')
    expect(() => open().seal('x', 'a')).toThrow(expect.objectContaining({ code: 'secret/key-unusable' }))
  })

  it('waits for nobody to write its key', () => {
    mkdirSync(join(dir, 'keys'))
    execFileSync('mkfifo', ['-m', '600', keyFile()])
    expect(() => open().seal('x', 'a')).toThrow(/secret.key: it is a FIFO, and no regular file/)
  })
})
