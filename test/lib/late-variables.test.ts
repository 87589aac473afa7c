import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { lateVariables } from '../../src/lib/late-variables.js'

const tool = (name: string): string => `/usr/bin/${name}`

describe('the variables of a program that is come to by way of others', () => {
  it('are kept from those others where a loader or a shell acts on them', () => {
    const environment = {
      PATH: '/bin',
      LD_PRELOAD: '/srv/x.so',
      LDAP: 'a',
      ENV: 'b',
      PS4: '$(id)',
      HOME: '/',
    }
    expect(lateVariables(environment, '/srv/app', tool)).toEqual({
      early: { PATH: '/bin', LDAP: 'a', HOME: '/' },
      words: ['/usr/bin/env', 'LD_PRELOAD=/srv/x.so', 'ENV=b', 'PS4=$(id)'],
    })
  })

  it('cost nothing where there are none of these', () => {
    const environment = { PATH: '/bin', TZ: 'UTC' }
    expect(lateVariables(environment, 'a=b', tool)).toEqual({ early: environment, words: [] })
  })

  it('are all there in the end, also of a program with an equals sign in its path', () => {
    const environment = { A: '1', LD_DEBUG: '', MALLOC_ARENA_MAX: '2\n3' }
    const { early, words } = lateVariables(environment, 'a=b', tool)
    const argv = [
      ...words.slice(0, -1),
      '--',
      '/bin/sh',
      '-c',
      'echo "$A,$MALLOC_ARENA_MAX,${LD_DEBUG-none}"',
    ]
    const said = execFileSync(argv[0] ?? '', argv.slice(1), { env: early, encoding: 'utf8' })
    expect(said).toBe('1,2\n3,\n')
  })
})
