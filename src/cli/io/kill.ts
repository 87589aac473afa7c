// Sending signals to what does not stop by itself.
import { exitCodes } from '../command-error.js'
import { printJson, type Shell } from './shell.js'

export interface KillFlags {
  readonly signal: string
}

export async function killUnits(shell: Shell, names: readonly string[], flags: KillFlags): Promise<number> {
  const { client, globals, terminal, signal } = shell
  const sent = await Promise.all(names.map((name) => client.killUnit(name, flags.signal, signal)))
  if (globals.json) printJson(shell, sent)
  else terminal.out(sent.map((one) => `${one.unit}: ${one.signal} sent\n`).join(''))
  return exitCodes.done
}
