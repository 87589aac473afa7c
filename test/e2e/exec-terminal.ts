// A program in a terminal beside an instance, asked for from a real pseudo-terminal. For every driver.
import { expect, test } from 'vitest'
import type { ExecSite } from './exec-faults.js'
import type { Host } from './host.js'
import { openTerminal } from './terminal.js'

export type TerminalSite = ExecSite & { readonly host: Pick<Host, 'run' | 'socketPath'> }

/** `program` is the file of the command line. */
export function describeExecTerminal(open: () => Promise<TerminalSite>, program: () => string): void {
  const wordsOf =
    ({ host }: TerminalSite) =>
    (...argv: readonly string[]): readonly string[] => {
      const endpoint = `unix://${host.socketPath}`
      return [process.execPath, program(), '--endpoint', endpoint, 'service', 'exec', 'web-1', '--', ...argv]
    }
  /** Makes sure that a program goes on beside the instance that is known by its words, and ends it. */
  const endLeft = async ({ host }: TerminalSite, words: string): Promise<void> => {
    const inside = ['service', 'exec', 'web-1', '--', 'sh', '-c']
    const { stdout } = await host.run(...inside, 'cat /proc/[0-9]*/cmdline | tr "\\0" " "')
    expect(stdout).toContain(words)
    const kill = `[ "$(tr "\\0" " " < $p/cmdline)" = "${words} " ] && kill -9 \${p#/proc/}`
    await host.run(...inside, `for p in /proc/[0-9]*; do ${kill}; done`)
  }

  test('exec on a terminal: size and resizing, Ctrl-C, detaching, and the exit status', async () => {
    const site = await open()
    const words = wordsOf(site)

    const shell = openTerminal(words('sh'))
    // A shell that edits lines asks for the place of the cursor behind its prompt.
    await shell.shows(/[$#] /)
    shell.type('stty size; test -t 0 && test -t 1 && echo "a ter"minal\n')
    await shell.shows(/31 97\r+\na terminal/)
    shell.resize(40, 120)
    shell.type(
      'trap "stty size" WINCH; while :; do sleep 0.1; [ "$(stty size)" = "40 120" ] && break; done; echo resi"zed"\n',
    )
    await shell.shows(/resized/)
    // It reaches the program in the foreground, and neither the shell nor the command line.
    shell.type('sh -c \'echo "in front"; exec sleep 1000\'\n')
    await shell.shows(/in front\r/)
    shell.type('\u0003')
    shell.type('echo "status is "$?\n')
    await shell.shows(/status is 130/)
    shell.type('exit 7\n')
    expect(await shell.ended).toBe(7)

    const left = openTerminal(words('sh', '-c', 'trap "" HUP; echo "beg"un; exec sleep 4321'))
    await left.shows(/begun/)
    left.type('\u0010\u0011')
    expect(await left.ended).toBe(0)
    await left.shows(/detached; the program continues/)
    await endLeft(site, 'sleep 4321')
  }, 120_000)

  test('exec on a terminal: the keys that detach work while the program takes nothing of what was typed', async () => {
    const site = await open()
    // As it comes: a terminal that edits lines would drop what nobody takes.
    const deaf = openTerminal(
      wordsOf(site)('sh', '-c', 'trap "" HUP; stty raw -echo; echo "beg"un; exec sleep 4322'),
    )
    await deaf.shows(/begun/)
    deaf.type('x'.repeat(8 * 1024 * 1024))
    deaf.type('\u0010\u0011')
    expect(await deaf.ended).toBe(0)
    await deaf.shows(/detached; the program continues/)
    await endLeft(site, 'sleep 4322')
  }, 120_000)
}
