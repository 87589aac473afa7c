// A pseudo-terminal, made by script(1).
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/** A program in a pseudo-terminal of 31 rows and 97 columns. */
export function openTerminal(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const line = `stty rows 31 cols 97; exec ${argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')}`
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm', SHELL: '/bin/sh', ...env },
  })
  let text = ''
  const looks = new Set<() => void>()
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    for (const look of looks) look()
  })
  child.stdin.on('error', () => {})
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const shows = (wanted: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!wanted.test(text)) return
        looks.delete(look)
        resolve()
      }
      looks.add(look)
      look()
      ended.then(
        () => (wanted.test(text) ? resolve() : reject(new Error(`never showed ${String(wanted)}: ${text}`))),
        reject,
      )
    })
  return {
    ended,
    shows,
    text: () => text,
    type: (keys: string) => child.stdin.write(keys),
    resize: (rows: number, columns: number) => {
      const [leader] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'latin1')
        .trim()
        .split(' ')
      execFileSync('stty', [
        '-F',
        readlinkSync(`/proc/${leader}/fd/0`),
        'rows',
        String(rows),
        'cols',
        String(columns),
      ])
    },
  }
}
