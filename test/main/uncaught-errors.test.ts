// Errors that nobody caught: that of a request ends the request, any other the daemon.
import { mkdtempSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { removeDir } from '../remove-dir.js'
import { killChildren, type Output, runChild } from '../store/child.js'

// Beside the packages that it loads.
const dir = mkdtempSync(join(import.meta.dirname, '../../node_modules/.faults-'))
const program = join(dir, 'faulty.mjs')

beforeAll(async () => {
  const entryPoints = [join(import.meta.dirname, 'children/faulty.ts')]
  await build({
    entryPoints,
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
})
afterEach(killChildren)
afterAll(() => removeDir(dir))

async function startFaulty(...args: readonly string[]): Promise<{ output: Output; port: number }> {
  const output = runChild(process.execPath, [program, ...args])
  await output.lines(1)
  return { output, port: Number(output.text().split('\n')[0]) }
}

function ask(port: number, path: string): Promise<string> {
  return new Promise((resolve) => {
    get({ port, path, agent: false }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
      answer.on('end', () => resolve(text))
    }).on('error', () => resolve('broken off'))
  })
}

test('a request that fails where nobody catches it is broken off, logged and counted; others are served', async () => {
  const { output, port } = await startFaulty()
  for (const way of ['timer', 'promise', 'emitter', 'socket'])
    expect(await ask(port, `/fail/${way}?secret=1`)).toBe('broken off')
  expect(await ask(port, '/faults')).toBe('4')
  for (const why of ['thrown by a timer', 'refused by a promise', 'told by an emitter', 'ENOENT'])
    expect(output.text()).toContain(why)
  expect(output.text()).toContain('method=GET path=/fail/timer')
  expect(output.text()).not.toContain('secret')
})

test('what the code relies on does not hold: the process ends, though a request met it', async () => {
  const { output, port } = await startFaulty()
  expect(await ask(port, '/fail/invariant')).toBe('broken off')
  expect(await output.ended).toContain('something does not hold')
  expect(output.child.exitCode).toBe(1)
})

test('an error that no request led to ends the process, with one line', async () => {
  const { output } = await startFaulty('by itself')
  expect((await output.ended).trimEnd().split('\n').at(-1)).toMatch(/ error daemon: .*nobody asked for it/)
  expect(output.child.exitCode).toBe(1)
})
