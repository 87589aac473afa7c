// The built program and a daemon of its own, for tests that follow what the documentation says.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const root = join(import.meta.dirname, '..', '..')
const program = join(root, 'dist', 'mariposa.js')

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Daemon {
  /** A directory for the test's files, and the one that commands run in. */
  readonly home: string
  /** Runs a command against this daemon to its end. */
  run(args: readonly string[]): Promise<Outcome>
  /** Runs a command that does not end by itself, until it has printed something, then interrupts it. */
  glance(args: readonly string[]): Promise<Outcome>
  stop(): Promise<void>
}

/** Starts a daemon with the process driver and waits until it is ready. */
export async function startDaemon(): Promise<Daemon> {
  const home = mkdtempSync(join(tmpdir(), 'mariposa-docs-'))
  const socket = join(home, 'mariposa.sock')
  const args = [
    'daemon',
    '--data-dir',
    join(home, 'data'),
    '--listen',
    `unix:${socket}`,
    '--driver',
    'process',
  ]
  const daemon = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said = gather(daemon)
  while (!(existsSync(socket) && (await isReady(socket)))) {
    if (daemon.exitCode !== null) throw new Error(`the daemon ended: ${said().stderr}`)
    await sleep(50)
  }
  const start = (command: readonly string[]) =>
    spawn(process.execPath, [program, ...command], {
      cwd: home,
      env: { ...process.env, MARIPOSA_ENDPOINT: `unix://${socket}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  return {
    home,
    run: async (command) => {
      const child = start(command)
      const output = gather(child)
      await once(child, 'close')
      return output()
    },
    glance: async (command) => {
      const child = start(command)
      const output = gather(child)
      await Promise.race([once(child.stdout, 'data'), once(child, 'close')])
      child.kill('SIGINT')
      if (child.exitCode === null) await once(child, 'close')
      return output()
    },
    stop: async () => {
      const ended = once(daemon, 'exit')
      daemon.kill('SIGTERM')
      if (daemon.exitCode === null) await ended
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function gather(child: ChildProcess): () => Outcome {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return () => ({ code: child.exitCode, stdout, stderr })
}

function isReady(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    request({ socketPath, path: '/readyz' }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
      .on('error', () => resolve(false))
      .end()
  })
}

/** The lines of a page's `sh` blocks, without comments. */
export function commandsOf(page: string): readonly string[] {
  return blocksOf(page, 'sh')
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** The code blocks of a page in one language. */
export function blocksOf(page: string, language: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    (match) => match[1] ?? '',
  )
}
