import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  credentialsFor,
  helperAnswer,
  helperFor,
  nobody,
  registryOf,
} from '../../../src/drivers/docker/credentials.js'
import { readCredentials } from '../../../src/drivers/docker/io/credentials.js'
import { removeDir } from '../../remove-dir.js'

describe('the registry of an image', () => {
  it.each([
    ['busybox', 'https://index.docker.io/v1/'],
    ['user/app:1', 'https://index.docker.io/v1/'],
    ['docker.io/user/app', 'https://index.docker.io/v1/'],
    ['localhost/app', 'localhost'],
    ['registry.example:5000/app', 'registry.example:5000'],
  ])('of %s is %s', (image, registry) => {
    expect(registryOf(image)).toBe(registry)
  })
})

describe('credentials in the configuration', () => {
  const config = JSON.stringify({
    auths: {
      'r.example': { auth: btoa('me:pass:word') },
      'x.example': {},
      't.example': { auth: btoa('me:'), identitytoken: 'tok' },
    },
  })

  it('are found by the name of the registry', () => {
    const found = { username: 'me', password: 'pass:word', serveraddress: 'r.example' }
    expect(credentialsFor('r.example', config)).toEqual(found)
  })

  it('may be a token', () => {
    expect(credentialsFor('t.example', config)).toEqual({ identitytoken: 'tok', serveraddress: 't.example' })
  })

  it.each(['other.example', 'x.example', 'app'])('are not there for %s', (registry) => {
    expect(credentialsFor(registry, config)).toBeNull()
  })

  it.each(['nonsense', 'null', '{"auths": {"r.example": {"auth": "%"}}}'])('are not there in %s', (text) => {
    expect(credentialsFor('r.example', text)).toBeNull()
  })
})

describe('the helper of a registry', () => {
  const config = JSON.stringify({ credHelpers: { 'r.example': 'cloud' }, credsStore: 'pass' })

  it('is its own, and else the one for all', () => {
    expect(helperFor('r.example', config)).toEqual({ program: 'docker-credential-cloud' })
    expect(helperFor('other.example', config)).toEqual({ program: 'docker-credential-pass' })
    expect(helperFor('r.example', '{}')).toBeNull()
  })

  it.each(['../sh', 'a b', '/bin/sh', 'a;b'])('is never %s', (name) => {
    expect(helperFor('r', JSON.stringify({ credsStore: name }))).toHaveProperty('problem')
  })

  it('answers with a password or a token', () => {
    const answer = (Username: string) =>
      helperAnswer('r', JSON.stringify({ Username, Secret: 's' })).credentials
    expect(answer('me')).toEqual({ username: 'me', password: 's', serveraddress: 'r' })
    expect(answer('<token>')).toEqual({ identitytoken: 's', serveraddress: 'r' })
  })

  it.each(['{"Username": 1}', '{'])('is not believed %s, nor is it shown', (output) => {
    expect(helperAnswer('r', output)).toEqual({
      credentials: null,
      problem: 'did not answer with credentials',
    })
  })
})

describe('a helper that is run', () => {
  let dir: string
  const before = { config: process.env['DOCKER_CONFIG'], path: process.env['PATH'] }
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'mariposa-helper-'))
    process.env['DOCKER_CONFIG'] = dir
    process.env['PATH'] = `${dir}${delimiter}${before.path ?? ''}`
    const auths = { 'r.example': { auth: btoa('stored:old') } }
    writeFileSync(join(dir, 'config.json'), JSON.stringify({ auths, credHelpers: { 'r.example': 'test' } }))
  })
  afterEach(() => {
    if (before.config === undefined) delete process.env['DOCKER_CONFIG']
    else process.env['DOCKER_CONFIG'] = before.config
    process.env['PATH'] = before.path
    removeDir(dir)
  })
  const install = (script: string): void => {
    const path = join(dir, 'docker-credential-test')
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
  }
  const stored = { username: 'stored', password: 'old', serveraddress: 'r.example' }

  it('is asked with the registry, without our own variables', async () => {
    process.env['MARIPOSA_TOKEN'] = 'own'
    install('read registry; printf \'{"Username":"%s","Secret":"%s"}\' "$registry" "$1$MARIPOSA_TOKEN"')
    const found = await readCredentials('r.example/app:1', nobody)
    delete process.env['MARIPOSA_TOKEN']
    const credentials = { username: 'r.example', password: 'get', serveraddress: 'r.example' }
    expect(found).toEqual({ credentials, problem: null })
  })

  it.each([
    ['has nothing for it', 'echo credentials not found in native keychain; exit 1', null],
    ['fails', 'echo hush; echo hush >&2; exit 3', 'ended with status 3'],
    ['writes without end', 'yes', 'wrote too much'],
  ])('that %s leaves what the configuration says, and is not quoted', async (_, script, why) => {
    install(script)
    const { credentials, problem } = await readCredentials('r.example/app', nobody)
    expect(credentials).toEqual(stored)
    expect(problem).toBe(why === null ? null : `the credential helper docker-credential-test ${why}`)
  })

  it('that is not there is told by name', async () => {
    const found = await readCredentials('r.example/app', nobody)
    expect(found).toEqual({
      credentials: stored,
      problem: 'the credential helper docker-credential-test is not installed',
    })
  })

  it('is ended with who asked', async () => {
    install(': > "$0.began"; exec sleep 1000')
    const abort = new AbortController()
    const found = readCredentials('r.example/app', nobody, abort.signal)
    abort.abort()
    expect((await found).problem).toContain('could not be run')
  })
})

describe('the login that the cluster keeps for a registry', () => {
  const login = { host: 'r.example', username: 'deploy', password: 'sealed' }

  it('comes before the configuration of the machine', async () => {
    const found = await readCredentials('r.example/app', () => login)
    const credentials = { username: 'deploy', password: 'sealed', serveraddress: 'r.example' }
    expect(found).toEqual({ credentials, problem: null })
  })

  it('of Docker Hub, and of a token, are told as Docker wants them', async () => {
    const hub = { ...login, host: 'docker.io', username: '<token>' }
    const { credentials } = await readCredentials('app', () => hub)
    expect(credentials).toEqual({ identitytoken: 'sealed', serveraddress: 'https://index.docker.io/v1/' })
  })

  it('that cannot be opened is told', async () => {
    const { problem } = await readCredentials('r.example/app', () => ({ problem: 'it cannot be opened' }))
    expect(problem).toBe('it cannot be opened')
  })
})
