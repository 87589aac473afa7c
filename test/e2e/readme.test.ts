import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocksOf, commandsOf, root } from '../docs/pages.js'
import { type Host, useHosts } from './host.js'

const commands = commandsOf('README.md')
const [daemon, ...rest] = commands
  .filter((line) => line.startsWith('mariposa '))
  .map((line) => line.split(/\s+/).slice(1))

/** The README's manifest as it stands, with a program that exists here. */
function manifest(): string {
  const [text = ''] = blocksOf('README.md', 'yaml')
  const argv = [process.execPath, join(root, 'examples', 'guestbook', 'web.mjs')]
  const runnable = text.replace('node /srv/web/server.mjs', JSON.stringify(argv))
  expect(runnable).not.toBe(text)
  return runnable
}

describe('the commands of the README', () => {
  const newHost = useHosts()

  it('work in the order in which they are written', { timeout: 180_000 }, async () => {
    const host = newHost()
    host.file('web.yml', manifest())
    expect(daemon).toEqual(['daemon'])
    await host.startDaemon()
    expect(rest.length).toBeGreaterThan(10)
    for (const args of rest) {
      if (args.includes('--follow')) await follow(host, args)
      else expect({ args, ...(await host.run(...args)) }).toMatchObject({ args, code: 0 })
    }
  })

  it('name npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
    const named = commands.flatMap((line) => [...line.matchAll(/npm (?:run )?(demo|test|build)\b/g)])
    expect(named.map((match) => match[1])).toEqual(['demo', 'test', 'build'])
    for (const [, name = ''] of named) expect(scripts).toHaveProperty(name)
  })
})

/** A command that does not end by itself: until it has shown a line of the program, then Ctrl-C. */
async function follow(host: Host, args: readonly string[]): Promise<void> {
  const running = host.start(...args)
  await running.saw('listens on port')
  running.signal('SIGINT')
  expect({ args, ...(await running.ended) }).toMatchObject({ args, code: 130 })
}
