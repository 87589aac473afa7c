// Who registries of images are asked as.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useHosts } from './host.js'

const openHost = useHosts()

/** What the files of a directory hold, sockets aside. */
function contentsUnder(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
}

describe('registry', { timeout: 60_000 }, () => {
  test('login seals the password, list shows who is asked as whom, logout forgets it', async () => {
    const host = openHost()
    await host.startDaemon()
    const words = ['--username', 'deploy', '--password-stdin', '--no-check']
    const told = await host.feed(
      'hush-hush\n',
      'registry',
      'login',
      'https://Registry.Example:5000/',
      ...words,
    )
    expect([told.code, told.stdout]).toEqual([
      0,
      'every machine logs in to registry.example:5000 as deploy\n',
    ])
    expect(told.stderr).toContain('not checked')
    const hub = await host.feed(
      'token',
      'registry',
      'login',
      'index.docker.io/v1/',
      '-u',
      'shop',
      '--password-stdin',
      '--json',
    )
    expect(JSON.parse(hub.stdout)).toMatchObject({
      registry: { host: 'docker.io', username: 'shop' },
      checked: false,
    })

    const list = await host.done('registry', 'list')
    expect(list.stdout).toMatch(/docker\.io +shop/)
    expect(JSON.parse((await host.done('registry', 'ls', '--json')).stdout)).toEqual([
      { host: 'docker.io', username: 'shop', updatedAt: expect.any(String) as unknown },
      { host: 'registry.example:5000', username: 'deploy', updatedAt: expect.any(String) as unknown },
    ])
    const events = await host.done('events', '--json')
    const kept = contentsUnder(host.dataDir)
    expect(kept.some((text) => text.includes('registries/registry.example:5000'))).toBe(true)
    for (const text of [list.stdout, events.stdout, ...kept]) expect(text).not.toContain('hush-hush')

    expect((await host.done('registry', 'logout', 'docker.io')).stdout).toContain('is removed')
    expect((await host.done('registry', 'list', '-q')).stdout).toBe('registry.example:5000\n')
  })

  test('what is no registry, and nobody, is refused', async () => {
    const host = openHost()
    await host.startDaemon()
    const refused: readonly (readonly [string, string, readonly string[]])[] = [
      ['cli/usage', '', ['login', 'registry.example']],
      ['cli/usage', '', ['login', 'registry.example', '-u', 'shop']],
      ['registry/bad-name', 'p', ['login', 'registry.example/shop', '-u', 'shop', '--password-stdin']],
      ['cli/usage', 'p', ['login', '', '-u', 'shop', '--password-stdin']],
      ['registry/bad-login', '', ['login', 'registry.example', '-u', 'shop', '--password-stdin']],
      ['registry/bad-login', 'p', ['login', 'registry.example', '-u', 'a:b', '--password-stdin']],
      ['registry/unknown', '', ['logout', 'registry.example']],
    ]
    for (const [code, stdin, words] of refused) {
      const ended = await host.feed(stdin, 'registry', ...words, '--json')
      expect({ words, told: JSON.parse(ended.stdout) as unknown }).toMatchObject({
        words,
        told: { error: { code } },
      })
      expect(ended.code).not.toBe(0)
    }
    expect((await host.done('registry', 'list', '--json')).stdout.trim()).toBe('[]')
  })
})
