// Keys of secrets: told apart by fingerprints, several in a file, and the one that the cluster names is sealed with.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSecretBox, type SealedText } from '../../src/store/io/secret-box.js'
import { removeDir } from '../remove-dir.js'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mariposa-keys-'))
})
afterEach(() => removeDir(dir))

const newKey = () => randomBytes(32).toString('base64')
const [one, two] = [newKey(), newKey()]

function machine(name: string, ...keys: readonly string[]) {
  const keyFile = join(dir, name)
  const write = (...lines: readonly string[]) =>
    writeFileSync(keyFile, `${lines.join('\n')}\n`, { mode: 0o600 })
  if (keys.length > 0) write(...keys)
  const cluster = { named: null as string | null, sealed: [] as SealedText[] }
  const box = openSecretBox({
    keyFile,
    inUse: () => cluster.sealed.length > 0 || cluster.named !== null,
    named: () => cluster.named,
    sealed: () => cluster.sealed,
  })
  return { box, cluster, write }
}

describe('a fingerprint', () => {
  it('is the same for the same key, another for another, and nothing of the key is in it', () => {
    const [a, b] = [machine('a', one).box.keyState(), machine('b', one, two).box.keyState()]
    expect(a.fingerprints).toHaveLength(1)
    expect(b.fingerprints[0]).toBe(a.fingerprints[0])
    expect(b.fingerprints[1]).not.toBe(a.fingerprints[0])
    const [print = ''] = a.fingerprints
    expect(print).toMatch(/^[0-9a-f]{16}$/)
    expect(Buffer.from(one, 'base64').toString('hex')).not.toContain(print)
  })
})

describe('a box', () => {
  it('says that it has none of the keys, or others, and then seals nothing', () => {
    const named = machine('named', one).box.keyState().fingerprints[0] ?? ''
    const [none, other] = [machine('none'), machine('other', two)]
    for (const { cluster } of [none, other]) cluster.named = named
    expect(none.box.keyState()).toMatchObject({ fingerprints: [], problem: 'no-key' })
    expect(other.box.keyState()).toMatchObject({ problem: 'wrong-key' })
    expect(() => none.box.seal('x', 'a')).toThrow(expect.objectContaining({ code: 'secret/no-key' }))
    expect(() => other.box.seal('x', 'a')).toThrow(expect.objectContaining({ code: 'secret/wrong-key' }))
  })

  it('is well where nothing is sealed and nothing named, with a key or without', () => {
    expect(machine('none').box.keyState()).toMatchObject({ problem: null, unnamed: null })
    expect(machine('some', one).box.keyState()).toMatchObject({ problem: null, unnamed: null })
  })

  it('finds out which of its keys is in use where a daemon of before has sealed with it', () => {
    const text = machine('before', one).box.seal('x', 'a')
    const [has, other] = [machine('has', one, two), machine('other', two)]
    for (const { cluster } of [has, other]) cluster.sealed.push({ text, place: 'a' })
    const { fingerprints, problem, unnamed } = has.box.keyState()
    expect({ problem, unnamed }).toEqual({ problem: null, unnamed: fingerprints[0] })
    expect(other.box.keyState()).toMatchObject({ problem: 'wrong-key', unnamed: null })
    expect(() => other.box.seal('y', 'b')).toThrow(expect.objectContaining({ code: 'secret/wrong-key' }))
    // What the others can open.
    expect(machine('again', one).box.open(has.box.seal('y', 'b'), 'b')).toBe('y')
  })

  it('opens with all keys of its file, and seals with the one that is named, whichever line that is', () => {
    const { box, cluster } = machine('both', one, two)
    const [first = '', second = ''] = box.keyState().fingerprints
    for (const [named, key, lone] of [
      [first, one, 'x'],
      [second, two, 'y'],
    ] as const) {
      cluster.named = named
      const text = box.seal(lone, 'a')
      expect(machine(`lone ${lone}`, key).box.open(text, 'a')).toBe(lone)
      expect(box.open(text, 'a')).toBe(lone)
      expect(box.opens({ text, place: 'a' }, named)).toBe(true)
      expect(box.opens({ text, place: 'a' }, named === first ? second : first)).toBe(false)
    }
  })

  it('takes a key that comes into its file, and keeps those that it has while the file cannot be read', () => {
    const { box, cluster, write } = machine('grows', one)
    const sealed = box.seal('x', 'a')
    const text = machine('new', two).box.seal('y', 'b')
    write(one, two)
    expect(box.open(text, 'b')).toBe('y')
    write('no key')
    expect(box.open(sealed, 'a')).toBe('x')
    expect(box.keyState()).toMatchObject({
      problem: null,
      fingerprints: [{}, {}].map(() => expect.any(String)),
    })
    cluster.named = box.keyState().fingerprints[1] ?? ''
    expect(box.inUse()).toBe(cluster.named)
  })
})
