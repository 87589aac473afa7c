// A unit's [Container] section as a request to Docker. Nothing is left out silently: what Docker cannot honour as it
// is written is a diagnostic, and so refused when the unit is submitted.

import type { CheckUnit, PullRule, UnitToRun } from '../../agent/driver.js'
import { nearest } from '../../lib/nearest.js'
import type { Diagnostic } from '../../model/diagnostic.js'
import type { PortBinding } from '../../model/unit.js'
import { environmentOf } from '../../unit/environment.js'
import type { UnitFile } from '../../unit/parse.js'
import { problemOf } from '../../unit/problem.js'
import type { SpecifierContext } from '../../unit/specifiers.js'
import { stopTimeoutOf } from '../../unit/stop-timeout.js'
import { lastOf } from '../../unit/values.js'
import { parseRestart, readXMariposa, type XMariposa } from '../../unit/x-mariposa.js'
import type { CreateRequest, HostConfig, RestartPolicy } from './api.js'
import { argvOf, initMark } from './init-steps.js'
import * as keys from './keys.js'
import { ownLabels } from './labels.js'
import { type ContainerReader, containerSection, readContainer } from './reader.js'
import { noRestart, restartMark } from './restart-policy.js'
import { checkOtherSections } from './sections.js'

/** What to do so that a unit's container exists. */
export interface ContainerSpec {
  readonly pull: PullRule
  readonly request: CreateRequest
  /** Domains in which it looks for short names with the daemon's help; null where it does not ask that. */
  readonly names: readonly string[] | null
  /** Whether the check that its image brings counts: the unit has none of its own, and does not switch it off. */
  readonly imageCheck: boolean
  /** Files of this machine that hold variables, in order; what `request.Env` sets wins over them. */
  readonly environmentFiles: readonly string[]
}

/** The machine that a container is made on. */
export interface DockerMachine {
  readonly id: string
  readonly hostname: string
}

/** The container of a unit; null where its text is wrong. Codes: `docker/bad-value`, `unit/bad-environment`. */
export function containerSpec(
  unit: UnitToRun,
  machine: DockerMachine,
): { readonly spec: ContainerSpec | null; readonly diagnostics: readonly Diagnostic[] } {
  const context: SpecifierContext = { name: unit.name, machine }
  const reader = readContainer(unit.file, context)
  const changes = Object.entries(keys.containerKeys).map(([key, change]) => change(reader.values(key)))
  const config: Partial<CreateRequest> = Object.assign({}, ...changes.map((change) => change.config))
  const host: Partial<HostConfig> = Object.assign({}, ...changes.map((change) => change.host))
  const { environment, diagnostics } = environmentOf(unit.file, containerSection, context)
  const { settings } = readXMariposa(unit.file, context)
  const restart = restartPolicy(settings, unit.file)
  const isOff = keys.switchesCheckOff(reader.values('HealthCmd'))
  const pull = keys.readPullPolicy(reader.values('Pull'))
  const [steps, images] = [reader.values('ExecStartPre'), reader.values('InitImage')]
  const init = keys.readInitPlan(steps, images, reader.values('TimeoutStartSec'), pull)
  if (init.steps.some((step) => (argvOf(step)[0] ?? '') === ''))
    reader.report('ExecStartPre', 'docker/bad-value', 'an init step has no program')
  const spec: ContainerSpec = {
    names: settings.names,
    pull,
    imageCheck: !isOff && settings.healthChecks.every(({ type }) => type === 'containerpilot'),
    environmentFiles: reader.values('EnvironmentFile').lines(keys.absolutePath),
    request: {
      ...config,
      Image: config.Image ?? '',
      name: config.name ?? containerName(unit),
      Labels: {
        ...config.Labels,
        ...ownLabels(unit, machine.id),
        ...restartMark(restart),
        ...initMark(init),
      },
      Env: Object.entries({ ...environment, ...unit.environment, ...unit.secrets }).map(
        ([name, value]) => `${name}=${value}`,
      ),
      StopTimeout: config.StopTimeout ?? stopSeconds(stopTimeoutOf(unit.file)),
      ExposedPorts: Object.fromEntries(unit.ports.map((port) => [portKey(port), {}])),
      ...readUser(reader),
      HostConfig: {
        ...memoryLimit(settings),
        ...host,
        ...swapLimit(settings, host),
        ...readLogging(reader),
        PortBindings: portBindings(unit.ports),
        // Docker would start again by it what its own end, or that of the machine, has cut off.
        RestartPolicy: unit.runsOnce === true ? noRestart : restart,
      },
    },
  }
  checkTogether(reader, config, spec.request.HostConfig)
  const all = [...diagnostics, ...reader.problems()]
  return { spec: all.length > 0 ? null : spec, diagnostics: all }
}

/** What of a unit Docker cannot honour. Codes: those of `containerSpec` and `docker/unsupported-option`. */
export const checkDockerUnit: CheckUnit = (file, name) => {
  const unit = { name, hash: '', file, instance: null, ports: [], environment: {} }
  // Which machine it will be is open: %m and %H stand for anything.
  const { diagnostics } = containerSpec(unit, { id: '0'.repeat(32), hostname: 'localhost' })
  return [...checkKeys(file), ...checkOtherSections(file), ...diagnostics]
}

/** What of a unit Docker has nothing for: a container without it would be another than the one asked for. */
export function checkKeys(file: UnitFile): readonly Diagnostic[] {
  const known = Object.keys(keys.containerKeys)
  return file.options.flatMap((option) => {
    if (option.section !== containerSection || known.includes(option.name)) return []
    const near = nearest(option.name, known)
    const hint = near === undefined ? `known are ${known.join(', ')}` : `did you mean ${near}=?`
    return [problemOf(option, 'docker/unsupported-option', 'Docker has no such option', hint)]
  })
}

/** An instance's container is `<project>.<service>-<n>`; a dot cannot be in either, so no two of them are alike. */
function containerName(unit: UnitToRun): string {
  if (unit.instance !== null) return `${unit.instance.project}.${unit.instance.name}`
  return `unit.${unit.name.replace(/\.service$/, '').replace(/[^a-zA-Z0-9_.-]/g, '-')}`
}

/** The memory that the scheduler reserves is the limit; `[Container] Memory=` says otherwise. */
function memoryLimit({ memoryMb }: XMariposa): Partial<HostConfig> {
  return memoryMb === null || memoryMb === 0
    ? {}
    : { Memory: Math.max(memoryMb * 1024 ** 2, keys.leastMemoryBytes) }
}

/** Memory that is reserved below what Docker takes is raised to that, and with it what memory and swap are together. */
function swapLimit({ memoryMb }: XMariposa, host: Partial<HostConfig>): Partial<HostConfig> {
  const { Memory: memory, MemorySwap: swap } = host
  if (memory !== undefined || memoryMb === null || swap === undefined || swap === -1) return {}
  return swap < memoryMb * 1024 ** 2 ? {} : { MemorySwap: Math.max(swap, keys.leastMemoryBytes) }
}

/** In Docker's seconds, where -1 waits without end. */
function stopSeconds(timeoutMs: number): number {
  return Number.isFinite(timeoutMs) ? Math.ceil(timeoutMs / 1000) : -1
}

function readUser(reader: ContainerReader): Partial<CreateRequest> {
  const user = reader.values('User').last(keys.anything)
  const group = reader.values('Group').last(keys.anything)
  if (user === null && group === null) return {}
  return { User: group === null ? (user ?? '') : `${user ?? '0'}:${group}` }
}

function readLogging(reader: ContainerReader): Partial<HostConfig> {
  const driver = reader.values('LogDriver').last(keys.anything)
  const options = reader.values('LogOpt').words(keys.pair)
  if (driver === null && options.length === 0) return {}
  return {
    LogConfig: { Type: driver ?? 'json-file', Config: Object.fromEntries(options.map(keys.splitPair)) },
  }
}

/** `[X-Mariposa] Restart=`; else `[Service] Restart=`, of which only words that Docker knows are let in. */
function restartPolicy({ restart }: XMariposa, file: UnitFile): RestartPolicy {
  const { name, max } = restart ??
    parseRestart(lastOf(file, 'Service', 'Restart') ?? 'no') ?? { name: 'no', max: null }
  return { Name: name, MaximumRetryCount: max ?? 0 }
}

function portKey({ container, protocol }: PortBinding): string {
  return `${container}/${protocol}`
}

function portBindings(ports: readonly PortBinding[]): HostConfig['PortBindings'] {
  const bindingsOf = (key: string) =>
    ports
      .filter((port) => portKey(port) === key)
      .map(({ ip, host }) => ({ HostIp: ip ?? '', HostPort: String(host) }))
  return Object.fromEntries(ports.map(portKey).map((key) => [key, bindingsOf(key)]))
}

/** What only the keys together can get wrong. */
function checkTogether(reader: ContainerReader, config: Partial<CreateRequest>, host: HostConfig): void {
  if (config.Image === undefined) reader.report('Image', 'docker/bad-value', '[Container] Image= is not set')
  if (reader.values('Network').lines(keys.anything).length > 1) {
    reader.report('Network', 'docker/bad-value', 'a container is made with one network')
  }
  const { Memory: memory, MemorySwap: swap } = host
  if (swap !== undefined && swap !== -1 && swap < (memory ?? Number.POSITIVE_INFINITY)) {
    const message =
      '--memory-swap is the sum of memory and swap: it is less than the memory, or the memory is not limited'
    reader.report('PodmanArgs', 'docker/bad-value', message)
  }
  const publishes = reader.values('PublishPort').lines(keys.anything).length > 0
  const mode = host.NetworkMode ?? 'bridge'
  if (publishes && (mode === 'host' || mode === 'none' || mode.startsWith('container:'))) {
    reader.report('PublishPort', 'docker/bad-value', `it has no effect with Network=${mode}`)
  }
}
