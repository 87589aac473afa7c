// `mariposa dns setup` and `unset`: the resolver of this host, told of the daemon's names and of them no more.
import { execFile } from 'node:child_process'
import { access, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { errorCode } from '../../lib/io/error-code.js'
import { describeError } from '../../lib/io/log.js'
import { CommandError, exitCodes, usageError } from '../command-error.js'
import {
  type HostNames,
  hostResolverFile,
  hostResolverText,
  hostResolverUnit,
  parseSuffix,
} from '../host-resolver.js'
import { printJson, type Shell } from './shell.js'

export interface SetupFlags {
  readonly suffix?: readonly string[]
  readonly print?: boolean
}

const ownSuffix = 'mariposa.internal'

/** Writes the unit and starts it; with `print` only shows it. */
export async function setUpHostResolver(shell: Shell, flags: SetupFlags): Promise<number> {
  const names = await namesOfDaemon(shell, flags.suffix ?? [ownSuffix])
  const text = hostResolverText(names)
  if (flags.print === true) {
    if (shell.globals.json) printJson(shell, { file: hostResolverFile, text })
    else shell.terminal.out(text)
    return exitCodes.done
  }
  await demandResolved()
  await attempt(() => writeFile(hostResolverFile, text, { mode: 0o644 }))
  try {
    await systemctl('daemon-reload')
    await systemctl('enable', '--quiet', hostResolverUnit)
    // Also where it runs already, with an earlier text.
    await systemctl('restart', hostResolverUnit)
  } catch (error) {
    // What does not work is not left to be tried at every boot.
    await removeUnit().catch(() => {})
    throw error
  }
  if (shell.globals.json) printJson(shell, { file: hostResolverFile, ...names })
  else
    shell.terminal.out(
      `systemd-resolved asks ${names.server} for names below ${names.suffixes.join(', ')} (${hostResolverFile})\n`,
    )
  return exitCodes.done
}

/** Takes back what `setUpHostResolver` did; no error where there is nothing. */
export async function unsetHostResolver(shell: Shell): Promise<number> {
  const isThere = await exists(hostResolverFile)
  if (isThere) await removeUnit()
  if (shell.globals.json) printJson(shell, { file: hostResolverFile, removed: isThere })
  else
    shell.terminal.out(
      isThere ? `${hostResolverFile} is removed\n` : `nothing to remove: there is no ${hostResolverFile}\n`,
    )
  return exitCodes.done
}

/** Stops and removes the unit; where systemd does not stop it, its file goes all the same, and the reason is thrown then. */
async function removeUnit(): Promise<void> {
  try {
    await systemctl('disable', '--quiet', '--now', hostResolverUnit)
  } finally {
    await attempt(() => rm(hostResolverFile, { force: true }))
  }
  await systemctl('daemon-reload')
}

/** Where the daemon answers, and that it answers each suffix. */
async function namesOfDaemon(shell: Shell, given: readonly string[]): Promise<HostNames> {
  const read = given.map((text) => {
    const suffix = parseSuffix(text)
    if (suffix === null) throw usageError(`'${text}' is not a domain`, 'such as mariposa.internal')
    return suffix
  })
  const suffixes = [...new Set(read)]
  let endpoints: readonly string[] = []
  for (const suffix of suffixes) {
    const found = await shell.client.dnsLookup(suffix, 'SOA', shell.signal)
    endpoints = found.endpoints
    if (!found.answers.some(({ name, type }) => type === 'SOA' && name.toLowerCase() === suffix))
      throw usageError(
        `the daemon answers no names below ${suffix}`,
        'give --suffix as the --cns-suffix-public and --cns-suffix-private of the daemon',
      )
  }
  const server = endpoints.find((one) => one.startsWith('127.')) ?? endpoints[0]
  if (server === undefined)
    throw new CommandError(exitCodes.failed, 'names/not-answered', 'the daemon answers names nowhere', {
      hint: 'start it without --dns none; if its address is in use, its log names the holder',
    })
  return { server, suffixes }
}

async function demandResolved(): Promise<void> {
  if (await exists('/run/systemd/resolve/stub-resolv.conf')) return
  throw new CommandError(
    exitCodes.failed,
    'names/no-resolved',
    'systemd-resolved does not run on this host, and other resolvers cannot forward single domains',
    { hint: 'install it (apt-get install systemd-resolved), or use the variables of the manifest' },
  )
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}

async function systemctl(...args: readonly string[]): Promise<void> {
  await attempt(() => promisify(execFile)('systemctl', args))
}

/** Throws CommandError with what the system says. */
async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isRefused = ['EACCES', 'EPERM'].includes(errorCode(error) ?? '') || process.geteuid?.() !== 0
    throw new CommandError(
      exitCodes.failed,
      'names/not-set-up',
      `the resolver of this host could not be set up: ${describeError(error)}`,
      { hint: isRefused ? 'run it as root' : `journalctl -u ${hostResolverUnit} shows more` },
    )
  }
}
