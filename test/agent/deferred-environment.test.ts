import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type KnownValues, resolveVariables } from '../../src/agent/deferred-environment.js'
import { printEnvironmentFile } from '../../src/drivers/environment-file.js'
import { openSecretFiles } from '../../src/drivers/io/secret-files.js'
import { systemdUnitText } from '../../src/drivers/systemd/unit-text.js'
import { parseEnvironmentFile } from '../../src/supervisor/environment-file.js'
import type { DeferredPiece } from '../../src/unit/deferred-pieces.js'
import { toUnitName } from '../../src/unit/name.js'
import { parseUnit } from '../../src/unit/parse.js'
import { randomCases } from '../random-runs.js'
import { removeDir } from '../remove-dir.js'

const here: KnownValues = {
  instanceUuid: 'u-1',
  machineIp: '192.0.2.7',
  machineMetadata: { rack: 'r1' },
  meta: (key) => (key === 'password' ? 'correct horse' : null),
  volumePath: (volume) => (volume === 'data' ? '/srv/data' : null),
  files: { own: '/run/own', secrets: '/run/hidden' },
  call: () => null,
  isSecret: (key) => key === 'password',
}
const text = (value: string): DeferredPiece => ({ kind: 'text', text: value })
const name = toUnitName('shop.web.v1@7.service') ?? expect.fail()

describe('variables that are filled in where a unit is started', () => {
  it('hold the paths of volumes, and tell of one that the unit has not', () => {
    const path = (volume: string): DeferredPiece => ({ kind: 'volume-path', volume })
    const filled = resolveVariables([{ name: 'DIR', pieces: [path('data'), text('/main')] }], here)
    expect(filled).toEqual({ environment: { DIR: '/srv/data/main' }, secrets: {}, missing: [] })
    expect(resolveVariables([{ name: 'DIR', pieces: [path('logs')] }], here).missing).toEqual([
      'DIR: the unit has no volume logs',
    ])
  })

  it('hold what the machine knows, secrets apart', () => {
    const pieces: readonly DeferredPiece[] = [
      text('a'),
      { kind: 'instance-uuid' },
      { kind: 'machine-ip' },
      { kind: 'machine-metadata', key: 'rack', fallback: null },
      { kind: 'machine-metadata', key: 'row', fallback: 'x' },
    ]
    const url: readonly DeferredPiece[] = [text('u:'), { kind: 'meta', key: 'password' }, text('@h')]
    expect(
      resolveVariables(
        [
          { name: 'A', pieces },
          { name: 'URL', pieces: url },
        ],
        here,
      ),
    ).toEqual({
      environment: { A: 'au-1192.0.2.7r1x' },
      secrets: { URL: 'u:correct horse@h' },
      missing: [],
    })
  })

  it('say what is missing, and nothing of what is secret', () => {
    const gone: readonly DeferredPiece[] = [
      { kind: 'meta', key: 'gone' },
      { kind: 'meta', key: 'password' },
      { kind: 'machine-metadata', key: 'constructor', fallback: null },
    ]
    expect(resolveVariables([{ name: 'A', pieces: gone }], here).missing).toEqual([
      'A: the project has no meta key gone',
      'A: this machine has no metadata constructor',
    ])
  })
})

describe('a file with secrets', () => {
  let dir = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'mariposa-secret-files-'))
  })
  afterEach(() => removeDir(dir))

  it('is for the owner alone, and gone with the last unit', () => {
    const files = openSecretFiles(join(dir, 'run', 'secrets'))
    expect(files.write(name, {})).toBeNull()
    expect(readdirSync(dir)).toEqual([])
    const path = files.write(name, { A: 'x' }) ?? ''
    expect(readFileSync(path, 'utf8')).toBe('A="x"\n')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(dir, 'run', 'secrets')).mode & 0o777).toBe(0o700)
    expect(statSync(join(dir, 'run')).mode & 0o777).toBe(0o755)
    files.write(name, { A: 'y' })
    expect(readdirSync(join(dir, 'run', 'secrets'))).toEqual([name])
    files.remove(name)
    files.remove(name)
    expect(readdirSync(join(dir, 'run'))).toEqual([])
  })

  it('is read back as it was written, whatever is in it', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc
        .array(fc.constantFrom('"', '\\', '$', '`', "'", '\n', '\r', '\t', ' ', '#', ';', '=', 'a'))
        .map((all) => all.join('')),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[A-Z]{1,3}$/), value), (variables) => {
        expect(parseEnvironmentFile(printEnvironmentFile(variables))).toEqual(variables)
      }),
      { numRuns: randomCases(2_000) },
    )
  })

  it('is all that a unit for systemd names of them', () => {
    const { file } = parseUnit('[Service]\nExecStart=/bin/true\n')
    const unit = {
      name,
      hash: 'h',
      file,
      instance: null,
      ports: [],
      environment: {},
      secrets: { A: 'horse' },
    }
    const written = systemdUnitText(unit, '/run/mariposa/secrets/100%')
    expect(written).toContain('EnvironmentFile=/run/mariposa/secrets/100%%\n')
    expect(written).not.toContain('horse')
  })
})
