import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../docs/pages.js'

/** The demo, with what it prints. */
function startDemo(...args: readonly string[]) {
  const child = spawn(process.execPath, [join(root, 'scripts', 'demo.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  return { child, printed: () => printed }
}

/** The demo's directory, as it says itself. */
function homeIn(printed: string): string {
  return /mariposa-demo-\w+/.exec(printed)?.[0] ?? 'no directory named'
}

/** Every process on this machine whose command line names the text. */
function processesWith(text: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => commandLine(pid))
    .filter((line) => line.includes(text))
}

function commandLine(pid: string): string {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
    return `${line} ${environment}`
  } catch {
    return ''
  }
}

function expectNothingLeft(printed: string): void {
  const home = homeIn(printed)
  expect(readdirSync(tmpdir())).not.toContain(home)
  expect(processesWith(home)).toEqual([])
}

describe('the demo', { timeout: 180_000 }, () => {
  it('shows the main job from beginning to end, and leaves nothing behind', async () => {
    const { child, printed } = startDemo('--once')
    await once(child, 'close')
    expect({ code: child.exitCode, printed: printed() }).toMatchObject({ code: 0 })
    for (const instance of ['web-1', 'web-2', 'web-3']) {
      expect(printed()).toContain(`Welcome to the guestbook, from ${instance}:`)
    }
    expect(printed()).toContain('$ kill -9')
    expect(printed()).toContain('$ mariposa service scale web +2')
    expectNothingLeft(printed())
  })

  it('clears up when it is interrupted on its way', async () => {
    const { child, printed } = startDemo()
    const ended = once(child, 'close')
    while (!printed().includes('from web-1') && child.exitCode === null && child.signalCode === null) {
      await Promise.race([once(child.stdout, 'data'), ended])
    }
    child.kill('SIGINT')
    await ended
    expect({ code: child.exitCode, printed: printed() }).toMatchObject({ code: 0 })
    expectNothingLeft(printed())
  })
})
