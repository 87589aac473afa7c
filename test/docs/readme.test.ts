import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, commandsOf, type Daemon, root, startDaemon } from './program.js'

const commands = commandsOf('README.md')
const ours = commands.filter((line) => line.startsWith('mariposa ')).map((line) => line.split(/\s+/).slice(1))
const [daemonCommand, ...rest] = ours

describe('the commands of the README', () => {
  let daemon: Daemon
  beforeAll(async () => {
    daemon = await startDaemon()
    const [manifest = ''] = blocksOf('README.md', 'yaml')
    // The manifest as it stands, with a program that exists here.
    const program = join(root, 'examples', 'guestbook', 'web.mjs')
    const runnable = manifest.replace('/srv/web/server.mjs', JSON.stringify(program))
    expect(runnable).not.toBe(manifest)
    writeFileSync(join(daemon.home, 'web.yml'), runnable)
  })
  afterAll(async () => {
    await daemon.run(['service', 'delete', 'web', '--force'])
    await daemon.stop()
  })

  it('are there, and the first starts a daemon', () => {
    expect(daemonCommand).toEqual(['daemon'])
    expect(rest.length).toBeGreaterThan(10)
  })

  it('work in the order in which they are written', { timeout: 120_000 }, async () => {
    for (const args of rest) {
      const outcome = await (args.includes('--follow') ? daemon.glance(args) : daemon.run(args))
      const expected = args.includes('--follow') ? 130 : 0
      expect({ args, ...outcome }).toMatchObject({ args, code: expected })
      if (args[1] !== 'lint') expect({ args, printed: outcome.stdout }).not.toEqual({ args, printed: '' })
    }
  })

  it('name npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
    const named = commands.flatMap((line) =>
      [...line.matchAll(/npm (?:run )?(demo|test|build)\b/g)].map((match) => match[1]),
    )
    expect(named).toEqual(['demo', 'test', 'build'])
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named))
  })
})
