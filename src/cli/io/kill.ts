// Sending signals to what does not stop by itself.
import { exitCodes } from '../command-error.js'
import { printJson, type Shell } from './shell.js'

export interface KillFlags {
  readonly signal: string
}

export async function killUnits(shell: Shell, names: readonly string[], flags: KillFlags): Promise<number> {
  const { client, globals, terminal, signal } = shell
  const tried = await Promise.allSettled(names.map((name) => client.killUnit(name, flags.signal, signal)))
  const sent = tried.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const failed = tried.find((one) => one.status === 'rejected')
  if (failed !== undefined && sent.length === 0) throw failed.reason
  if (globals.json) printJson(shell, sent)
  else terminal.out(sent.map((one) => `${one.unit}: ${one.signal} sent\n`).join(''))
  if (failed !== undefined) throw failed.reason
  return exitCodes.done
}

const killEveryMs = 500

/** Kills what of services is stopping for as long as some work goes on: whatever a stop waits for. */
export async function killWhile<T>(
  shell: Shell,
  services: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => {
    for (const service of services) killStopping(shell, service).catch(() => {})
  }, killEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** What cannot be killed, or is gone meanwhile, is tried again or told by the work that waits for it. */
async function killStopping({ client, globals, signal }: Shell, service: string): Promise<void> {
  const instances = await client.instances(globals.project, service, signal)
  const stopping = instances.filter(({ state }) => state === 'stopping')
  await Promise.allSettled(stopping.map(({ unit }) => client.killUnit(unit, 'SIGKILL', signal)))
}
