// Commands on the logins of registries.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { nameOf, registryColumns } from '../columns.js'
import { exitCodes, usageError } from '../command-error.js'
import { outputStream } from './output.js'
import { printJson, printRows, type Shell } from './shell.js'
import { readSource } from './sources.js'

export interface LoginFlags {
  readonly username?: string
  readonly passwordStdin?: boolean
  /** false for `--no-check`. */
  readonly check: boolean
}

export async function logIn(
  shell: Shell,
  host: string,
  { username: named, passwordStdin = false, check }: LoginFlags,
): Promise<number> {
  const username = named ?? (await ask(shell, 'Username: ', passwordStdin))
  const password = passwordStdin
    ? (await readSource('-')).text.replace(/\r?\n$/, '')
    : await askSecretly(shell, 'Password: ')
  const request = { username, password, ...(!check && { check }) }
  const told = await shell.client.logInToRegistry(host, request, shell.signal)
  const { registry, checked, message } = told
  if (shell.globals.json) printJson(shell, told)
  else {
    shell.terminal.out(`every machine logs in to ${registry.host} as ${registry.username}\n`)
    if (!checked) shell.terminal.err(`warning: not checked: ${message}\n`)
  }
  return exitCodes.done
}

export async function listRegistries(shell: Shell): Promise<number> {
  printRows(shell, registryColumns, await shell.client.registries(shell.signal), nameOf.registry)
  return exitCodes.done
}

export async function logOut(shell: Shell, host: string): Promise<number> {
  const gone = await shell.client.logOutOfRegistry(host, shell.signal)
  if (shell.globals.json) printJson(shell, gone)
  else if (!shell.globals.quiet) shell.terminal.out(`the login of ${gone.host} is removed\n`)
  return exitCodes.done
}

async function ask({ signal }: Shell, question: string, stdinIsTaken: boolean): Promise<string> {
  if (stdinIsTaken || !process.stdin.isTTY)
    throw usageError(
      'whom to log in as? give --username',
      'example: --username deploy --password-stdin < token',
    )
  const lines = createInterface({ input: process.stdin, output: outputStream('stderr') })
  try {
    return await lines.question(question, { signal })
  } finally {
    lines.close()
  }
}

/** On a terminal, which does not show what is typed. */
async function askSecretly({ signal, terminal }: Shell, question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw usageError('give --password-stdin, or a terminal to ask on', 'example: --password-stdin < token')
  terminal.err(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  // The terminal is in raw mode meanwhile: Ctrl-C is a key there.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await lines.question('', { signal })
  } finally {
    lines.close()
    terminal.err('\n')
  }
}
