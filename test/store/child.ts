// Programs of test/store/children, run as processes of their own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Bundles a program into a directory; returns what Node can run. */
export async function bundleChild(name: string, outdir: string): Promise<string> {
  const outfile = join(outdir, `${name}.mjs`)
  await build({
    entryPoints: [join(import.meta.dirname, 'children', `${name}.ts`)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile,
    logLevel: 'error',
  })
  return outfile
}

export interface Output {
  readonly child: ChildProcess
  /** What it has written to stdout by now. */
  text(): string
  /** Resolves when stdout has this many lines, or the process has ended. */
  lines(count: number): Promise<void>
  /** Resolves with all of stdout when the process has ended. */
  readonly ended: Promise<string>
}

const running = new Set<ChildProcess>()

/** Ends what a failed test has left running. */
export function killChildren(): void {
  for (const child of running) child.kill('SIGKILL')
}

export function runChild(command: string, args: readonly string[], options: { uid?: number } = {}): Output {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], ...options })
  running.add(child)
  child.once('close', () => running.delete(child))
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const ended = once(child, 'close').then(() => text)
  const lines = async (count: number): Promise<void> => {
    while (text.split('\n').length <= count && child.exitCode === null && child.signalCode === null) {
      await Promise.race([child.stdout === null ? ended : once(child.stdout, 'data'), ended])
    }
  }
  return { child, text: () => text, lines, ended }
}
