// Commands that change what runs, and wait until it does.

import { ClientError } from '../../client/client-error.js'
import type {
  DeleteRequest,
  DeployedService,
  DeployRequest,
  InstanceBody,
  PlannedService,
  RolloutRequest,
  SourceFile,
  TaskBody,
  TaskProgress,
  TasksResponse,
} from '../../contract/contract.js'
import type { Diagnostic } from '../../model/diagnostic.js'
import { readVariable } from '../../model/run-variables.js'
import { CommandError, exitCodes, usageError } from '../command-error.js'
import { exitCodeOf } from '../failure.js'
import { describeDifferences } from '../plan-differences.js'
import { describePlan } from '../plan-text.js'
import { serviceOf } from '../progress.js'
import { parseScaleTargets } from '../scale-targets.js'
import { printable } from '../table.js'
import { followPrefetch } from './prefetch.js'
import type { Shell } from './shell.js'
import { printJson, printWarnings } from './shell.js'
import { readSources } from './sources.js'
import { followTasks } from './wait.js'
import { waitForEntry } from './wait-entry.js'

export interface WaitFlags {
  readonly detach?: boolean
}

export interface RolloutFlags extends WaitFlags, DeadlineFlag {
  readonly rolling?: number
  readonly canary?: number
  readonly count?: number
  readonly previous?: string
}

export interface DeployFlags extends RolloutFlags {
  readonly scale?: number
  readonly autoRevert?: boolean
  /** Only tell what would change. */
  readonly plan?: boolean
  /** Remove what the files do not name. */
  readonly prune?: boolean
  /** Refuse unless this plan is still what would be done. */
  readonly expect?: string
  /** Wait where no machine can take it, and do not refuse. */
  readonly waitForRoom?: boolean
  /** Resolve the tags of images anew. */
  readonly refresh?: boolean
  /** Have the machines fetch the images first. */
  readonly prefetch?: boolean
}

export interface ReprovisionFlags extends RolloutFlags {
  readonly version?: string
  readonly image?: string
  readonly instance?: string
  readonly machine?: string
}

export interface NowFlag {
  /** Kill instead of waiting for what the stop waits for. */
  readonly now?: boolean
}

export interface StopFlags extends WaitFlags {
  readonly version?: string
}

export interface DeadlineFlag {
  /** Milliseconds. */
  readonly deadline?: number
}

/** Creates or updates the services of all files as one change. */
export async function deploy(shell: Shell, files: readonly string[], flags: DeployFlags): Promise<number> {
  return deploySourcesOf(shell, await readSources(files), flags)
}

async function deploySourcesOf(
  shell: Shell,
  sources: readonly SourceFile[],
  flags: DeployFlags,
): Promise<number> {
  if (flags.plan && flags.expect !== undefined)
    throw usageError('give either --plan, which shows a plan, or --expect, which deploys only that plan')
  if (flags.plan && flags.prefetch) throw usageError('--plan changes nothing, and so fetches no images')
  const request = { sources, ...deployRequest(flags) }
  return flags.plan ? plan(shell, request) : deploySources(shell, request, flags)
}

/** The same for a project: of files that name the one that they are for, it is that one unless another is given. */
export async function deployProject(
  shell: Shell,
  files: readonly string[],
  flags: DeployFlags,
): Promise<number> {
  const { globals } = shell
  if (globals.projectGiven !== undefined) return deploy(shell, files, flags)
  const { projectNamedIn } = await import('../../manifest/project.js')
  const sources = await readSources(files)
  const project = sources.map(projectNamedIn).find((name) => name !== null) ?? globals.project
  return deploySourcesOf({ ...shell, globals: { ...globals, project } }, sources, flags)
}

/** Tells what a deploy would change. */
async function plan(shell: Shell, request: DeployRequest): Promise<number> {
  const { client, globals, signal, terminal } = shell
  const planned = await withSources(request, () => client.plan(globals.project, request, signal))
  if (globals.json) printJson(shell, planned)
  else {
    await printWarnings(shell, planned.warnings, request.sources)
    terminal.out(describePlan(planned, terminal.paint))
  }
  return exitCodes.done
}

/** Creates one service, which must not exist. */
export async function add(shell: Shell, name: string, file: string, flags: DeployFlags): Promise<number> {
  const sources = await sourceFor(name, file)
  return deploySources(shell, { sources, ...deployRequest(flags), only: 'new', service: name }, flags)
}

/** Updates one service, which must exist. */
export async function update(shell: Shell, name: string, file: string, flags: DeployFlags): Promise<number> {
  const sources = await sourceFor(name, file)
  return deploySources(shell, { sources, ...deployRequest(flags), only: 'existing', service: name }, flags)
}

/** What is read for one service has its name where the text does not say. */
async function sourceFor(name: string, file: string): Promise<readonly SourceFile[]> {
  return (await readSources([file])).map((source) => ({ ...source, name }))
}

async function deploySources(
  shell: Shell,
  request: DeployRequest,
  flags: WaitFlags & Pick<DeployFlags, 'prefetch'>,
): Promise<number> {
  const { sources } = request
  if (flags.prefetch === true) {
    const { deadlineMs } = request
    const wanted = { deploy: request, ...(deadlineMs !== undefined && { deadlineMs }) }
    await withSources(request, () => followPrefetch(shell, wanted, 'nothing was deployed'))
  }
  const { services, warnings, planned } = await withSources(request, () =>
    shell.client.deploy(shell.globals.project, request, shell.signal),
  )
  await printWarnings(shell, warnings, sources)
  tellSecrets(shell, services)
  if (flags.detach)
    printDetached(
      shell,
      services,
      services.flatMap(({ task }) => task ?? []),
    )
  else await waitForDeploy(shell, services, planned ?? [])
  return exitCodes.done
}

/** Sets the scale of the services that the words name: `web 3`, `web +1`, `web=3`. */
export async function scale(
  shell: Shell,
  words: readonly string[],
  flags: WaitFlags & DeadlineFlag,
): Promise<number> {
  const targets = parseScaleTargets(words)
  if (typeof targets === 'string') throw usageError(targets, 'example: mariposa service scale web 3')
  const request = { targets, ...deadlineRequest(flags) }
  const { tasks, notes = [] } = await shell.client.scale(shell.globals.project, request, shell.signal)
  for (const note of notes) shell.terminal.err(`warning: ${printable(note)}\n`)
  return finish(shell, tasks, flags)
}

export async function stop(
  shell: Shell,
  names: readonly string[],
  flags: StopFlags & NowFlag,
): Promise<number> {
  refuseDetached(flags)
  const request = { ...stopRequest(flags), ...joinFlag(flags) }
  const ask = (name: string) => shell.client.stop(shell.globals.project, name, request, shell.signal)
  return changeEach(shell, names, ask, flags)
}

export interface SetFlag {
  /** `KEY=VALUE` each. */
  readonly set?: readonly string[]
}

/** `KEY=VALUE` each, as variables. Throws CommandError. */
function setRequest({ set }: SetFlag): { readonly set?: Readonly<Record<string, string>> } {
  if (set === undefined) return {}
  const pairs = set.map((pair) => {
    const variable = readVariable(pair)
    if (variable !== null) return variable
    throw usageError(`--set has to be of the form KEY=VALUE, and is ${JSON.stringify(pair)}`)
  })
  return { set: Object.fromEntries(pairs) }
}

export async function start(
  shell: Shell,
  names: readonly string[],
  flags: StopFlags & DeadlineFlag & SetFlag,
): Promise<number> {
  const request = { ...stopRequest(flags), ...deadlineRequest(flags), ...setRequest(flags) }
  const ask = (name: string) => shell.client.start(shell.globals.project, name, request, shell.signal)
  return changeEach(shell, names, ask, flags)
}

/** Makes a version current and replaces the instances of others. */
export async function revert(
  shell: Shell,
  name: string,
  version: string,
  flags: RolloutFlags,
): Promise<number> {
  const request = { version, ...rolloutRequest(flags) }
  const { tasks } = await shell.client.revert(shell.globals.project, name, request, shell.signal)
  return finish(shell, tasks, flags)
}

/** Replaces instances by new ones of the current version. */
export async function reprovision(shell: Shell, name: string, flags: ReprovisionFlags): Promise<number> {
  const { version, image, instance, machine } = flags
  const request = {
    ...rolloutRequest(flags),
    ...(version !== undefined && { version }),
    ...(image !== undefined && { image }),
    ...(instance !== undefined && { instance }),
    ...(machine !== undefined && { machine }),
  }
  const { tasks } = await shell.client.reprovision(shell.globals.project, name, request, shell.signal)
  return finish(shell, tasks, flags)
}

/** Removes services; the daemon refuses while instances run, unless forced. */
export async function remove(
  shell: Shell,
  names: readonly string[],
  flags: WaitFlags & DeleteRequest & NowFlag,
): Promise<number> {
  refuseDetached(flags)
  const { force = false, volumes = false } = flags
  const request = { force, volumes, ...joinFlag(flags) }
  const ask = (name: string) => shell.client.delete(shell.globals.project, name, request, shell.signal)
  const done = await changeEach(shell, names, ask, flags)
  if (volumes && !shell.globals.quiet && !shell.globals.json) shell.terminal.note(onVolumes)
  return done
}

const onVolumes =
  'its volumes are deleted once each machine sees that the service is gone; those that could not be deleted are in: mariposa events --kind delete\n'

function refuseDetached({ now = false, detach = false }: WaitFlags & NowFlag): void {
  if (now && detach)
    throw usageError('--now kills stopping instances while the command waits: leave out --detach')
}

/** With --now: a stop that goes on already is the one that is made to end. */
function joinFlag({ now = false }: NowFlag): { readonly join?: true } {
  return now ? { join: true } : {}
}

/**
 * Asks for one change of each of several services, and waits for those that are made. Of what is refused each is told,
 * and then the command fails; the others go on.
 */
async function changeEach(
  shell: Shell,
  names: readonly string[],
  ask: (name: string) => Promise<TasksResponse>,
  flags: WaitFlags & NowFlag,
): Promise<number> {
  const asked = [...new Set(names)]
  const refused: RefusedName[] = []
  const tasks: TaskBody[] = []
  for (const name of asked) {
    try {
      tasks.push(...(await ask(name)).tasks)
    } catch (error) {
      if (asked.length === 1 || !(error instanceof ClientError)) throw error
      refused.push({ name, error })
      // Whoever does not answer is asked no more.
      if (error.status === null) break
    }
  }
  if (refused.length === 0) return finishNow(shell, asked, tasks, flags)
  const left = asked.slice(asked.indexOf(refused.at(-1)?.name ?? '') + 1)
  const failure = refusalOf(refused, refused.at(-1)?.error.status === null ? left : [], tasks.length > 0)
  try {
    await finishNow(asText(shell), asked, tasks, flags)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const { exitCode, code, message, details, hint } = error
    throw new CommandError(exitCode, code, message, { details: [...details, ...failure.details], hint })
  }
  throw failure
}

interface RefusedName {
  readonly name: string
  readonly error: ClientError
}

/** JSON is the failure alone: two values on one output are none. */
function asText(shell: Shell): Shell {
  if (!shell.globals.json) return shell
  return {
    ...shell,
    globals: { ...shell.globals, json: false },
    terminal: { ...shell.terminal, out: () => {} },
  }
}

function refusalOf(refused: readonly RefusedName[], left: readonly string[], changed: boolean): CommandError {
  const details = refused.map(({ name, error: { code, message, hint } }): Diagnostic => {
    const told = message.includes(name) ? message : `${name}: ${message}`
    return { code, severity: 'error', message: hint === undefined ? told : `${told}; ${hint}` }
  })
  const unasked = left.map((name): Diagnostic => {
    return { code: 'client/not-asked', severity: 'error', message: `${name}: not requested any more` }
  })
  const exits = new Set(refused.map(({ error }) => exitCodeOf(error.status)))
  const [first = exitCodes.failed] = exits
  const [code = ''] = refused.map(({ error }) => error.code)
  const count = refused.length + left.length
  return new CommandError(
    changed || exits.size > 1 ? exitCodes.failed : first,
    code,
    `${count} of the services ${count === 1 ? 'was' : 'were'} left as ${count === 1 ? 'it is' : 'they are'}`,
    { details: [...details, ...unasked] },
  )
}

/** With --now: what is stopping is killed, again and again until nothing is. */
async function finishNow(
  shell: Shell,
  names: readonly string[],
  tasks: readonly TaskBody[],
  flags: WaitFlags & NowFlag,
): Promise<number> {
  if (flags.now !== true) return finish(shell, tasks, flags)
  const { killWhile } = await import('./kill.js')
  return killWhile(shell, names, () => finish(shell, tasks, flags))
}

/** Problems that the daemon finds in the manifests of a request keep their texts, to be shown at their places. */
async function withSources<T>(request: DeployRequest, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof ClientError) || error.details.length === 0) throw error
    const { status, code, message, hint, details } = error
    throw new CommandError(exitCodeOf(status), code, message, {
      hint,
      details,
      sources: request.sources,
    })
  }
}

/** Said at once, whatever comes of the waiting: nobody is told them again. JSON has them in its own place. */
function tellSecrets({ globals, terminal }: Shell, services: readonly DeployedService[]): void {
  if (globals.json) return
  for (const { service, secrets = [] } of services) {
    for (const { of, name, secret } of secrets) {
      terminal.err(
        `${service}: a secret was made for the ${of} ${name}, and is shown only now:\n  ${secret}\n`,
      )
    }
  }
}

async function waitForDeploy(
  shell: Shell,
  services: readonly DeployedService[],
  planned: readonly PlannedService[],
): Promise<void> {
  const { client, globals, terminal, signal } = shell
  if (!globals.json && !globals.quiet) {
    terminal.out(services.map(describeOutcome).join(''))
    if (services.some(isLeftDrifted)) terminal.err(onDrift)
  }
  const tasks = services.flatMap(({ task }) => task ?? [])
  if (tasks.length > 0) await followTasks(shell, tasks)
  await waitForEntry(
    shell,
    services.flatMap(({ service, entry }) => (entry ? [service] : [])),
  )
  const looked = globals.json || planned.length > 0
  const instances = looked ? await client.instances(globals.project, null, signal) : []
  const differences = planned.length > 0 ? await readDifferences(shell, planned, instances) : null
  for (const line of [...(differences?.values() ?? [])].flat()) terminal.err(`not as planned: ${line}\n`)
  if (globals.json) {
    printJson(
      shell,
      services.map((one) => ({
        ...one,
        instances: instances.filter(({ service }) => service === one.service),
        ...(differences !== null && { differences: differences.get(one.service) ?? [] }),
      })),
    )
  } else if (globals.quiet) terminal.out(services.map(({ service }) => `${service}\n`).join(''))
}

/** By service: what of a deploy that is done is not as its plan showed it. */
async function readDifferences(
  { client, signal }: Shell,
  planned: readonly PlannedService[],
  instances: readonly InstanceBody[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const machines = await client.machines(signal)
  const hostnameOf = (id: string): string => machines.find((one) => one.id === id)?.hostname ?? id.slice(0, 8)
  return new Map(planned.map((one) => [one.service, describeDifferences(one, instances, hostnameOf)]))
}

function describeOutcome(deployed: DeployedService): string {
  const { service, outcome, ordinal, drifted = [] } = deployed
  if (outcome === 'removed') return `${service}: to be removed${describeHandOver(deployed)}\n`
  const left = isLeftDrifted(deployed) ? `; drifted: ${drifted.join(', ')}` : ''
  return outcome === 'unchanged'
    ? `${service}: unchanged, still version ${ordinal}${left}\n`
    : `${service}: ${outcome}, now version ${ordinal}\n`
}

function describeHandOver({ handsOver = [] }: DeployedService): string {
  const routes = handsOver.map(({ route, service }) => `${service} serves ${route}`)
  return routes.length === 0 ? '' : ` once ${routes.join(', ')}`
}

/** It was made from other values of the project's metadata, and stays as it is. */
function isLeftDrifted({ outcome, drifted = [] }: DeployedService): boolean {
  return outcome === 'unchanged' && drifted.length > 0
}

const onDrift = 'hint: deploy with --refresh to replace instances by ones with the present metadata\n'

/** Waits for tasks as the flags say, and prints what came of them. */
export async function finish(shell: Shell, tasks: readonly TaskBody[], flags: WaitFlags): Promise<number> {
  const uuids = tasks.map(({ uuid }) => uuid)
  if (flags.detach) {
    printDetached(shell, tasks, uuids)
    return exitCodes.done
  }
  const looks = await followTasks(shell, uuids)
  await waitForEntry(
    shell,
    looks.flatMap(({ task, entry }) => (entry ? [serviceOf(task)] : [])),
  )
  if (shell.globals.json) printJson(shell, looks.map(taskJson))
  else if (shell.globals.quiet) shell.terminal.out(looks.map(({ task }) => `${serviceOf(task)}\n`).join(''))
  return exitCodes.done
}

/** The contract's JSON of a task, with the instances as last seen. */
function taskJson({ task, instances }: TaskProgress): unknown {
  return { ...task, instances }
}

function printDetached(shell: Shell, json: readonly unknown[], uuids: readonly string[]): void {
  if (shell.globals.json) printJson(shell, json)
  else shell.terminal.out(uuids.map((uuid) => `${uuid}\n`).join(''))
}

function deployRequest(flags: DeployFlags): Omit<DeployRequest, 'sources'> {
  const { scale, autoRevert, prune, expect, waitForRoom, refresh } = flags
  return {
    ...rolloutRequest(flags),
    ...(scale !== undefined && { scale }),
    ...(autoRevert !== undefined && { autoRevert }),
    ...(prune !== undefined && { prune }),
    ...(expect !== undefined && { expect }),
    ...(waitForRoom !== undefined && { waitForRoom }),
    ...(refresh !== undefined && { refresh }),
  }
}

/** `--canary` and `--count` are two words for one thing. */
function rolloutRequest(flags: RolloutFlags): RolloutRequest {
  const { rolling, canary, count, previous } = flags
  if (canary !== undefined && count !== undefined)
    throw usageError('--canary and --count are the same: give one')
  const total = canary ?? count
  return {
    ...(rolling !== undefined && { rolling }),
    ...(total !== undefined && { canary: total }),
    ...deadlineRequest(flags),
    ...(previous !== undefined && { previous }),
  }
}

function deadlineRequest({ deadline }: DeadlineFlag): { deadlineMs?: number } {
  return deadline === undefined ? {} : { deadlineMs: deadline }
}

function stopRequest({ version }: StopFlags): { version?: string } {
  return version === undefined ? {} : { version }
}
