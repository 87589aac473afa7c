// The keys of [Container] (Podman's Quadlet names them, podman-systemd.unit(5)) and what each asks of Docker.

import { type PullRule, pullRuleOf } from '../../agent/driver.js'
import { isAddress } from '../../lib/address.js'
import { parseResourceLimit } from '../../model/resource-limit.js'
import { isRealTimeSignal, signalName } from '../../model/signal.js'
import { readInitImage } from '../../unit/init-image.js'
import { parseBoolean, parseCount, parseSize, parseTimeSpan } from '../../unit/values.js'
import type { CreateRequest, Device, HostConfig, Ulimit } from './api.js'
import { imageProblem } from './image.js'
import { defaultInitTimeoutMs, type InitPlan } from './init-steps.js'
import { labelPrefix } from './labels.js'
import { checkPodmanArg, podmanArgs } from './podman-args.js'

/** The values of one key, specifiers filled in. What `check` finds wrong is reported with the line it stands on. */
export interface KeyValues {
  /** One value per line. */
  lines(check: Check): readonly string[]
  /** The words of all lines. */
  words(check: Check): readonly string[]
  /** The last line, or null where there is none. */
  last(check: Check): string | null
  /** The words of the last line as a command: `$$` for a dollar sign. Null where there is none. */
  command(): readonly string[] | null
  /** The words of each line as a command. */
  commands(): readonly (readonly string[])[]
}

/** Says what is wrong with a value; null when nothing is. */
export type Check = (text: string) => string | null

/** What a key adds to the request. */
export interface Change {
  readonly config?: Partial<CreateRequest>
  readonly host?: Partial<HostConfig>
}

/** Memory below this Docker refuses. */
export const leastMemoryBytes = 6 * 1024 * 1024

/** Every key that Docker can honour exactly. Keys without a change of their own are read in container.ts. */
export const containerKeys: Readonly<Record<string, (values: KeyValues) => Change>> = {
  AddCapability: (values) => ({ host: { CapAdd: values.words(capability) } }),
  AddDevice: (values) => ({ host: { Devices: values.lines(device).map(readDevice) } }),
  AddHost: (values) => ({ host: { ExtraHosts: values.lines(hostEntry) } }),
  ContainerName: (values) => only('name', values.last(containerName)),
  DNS: (values) => ({ host: { Dns: values.lines(ipAddress) } }),
  DNSOption: (values) => ({ host: { DnsOptions: values.lines(anything) } }),
  DNSSearch: (values) => ({ host: { DnsSearch: values.lines(anything) } }),
  DropCapability: (values) => ({ host: { CapDrop: values.words(capability) } }),
  Entrypoint: (values) => only('Entrypoint', values.command()),
  Environment: () => ({}),
  EnvironmentFile: () => ({}),
  Exec: (values) => only('Cmd', values.command()),
  ExecStartPre: () => ({}),
  Group: () => ({}),
  GroupAdd: (values) => ({ host: { GroupAdd: values.lines(anything) } }),
  HealthCmd: () => ({}),
  HostName: (values) => only('Hostname', values.last(hostName)),
  InitImage: () => ({}),
  Image: (values) => only('Image', values.last(imageProblem)),
  Label: (values) => ({ config: { Labels: Object.fromEntries(values.words(label).map(splitPair)) } }),
  LogDriver: () => ({}),
  LogOpt: () => ({}),
  Memory: (values) => onlyHost('Memory', bytesOf(values.last(memory))),
  Network: (values) => onlyHost('NetworkMode', values.last(network)),
  NoNewPrivileges: (values) => (isOn(values) ? { host: { SecurityOpt: ['no-new-privileges'] } } : {}),
  PidsLimit: (values) => onlyHost('PidsLimit', numberOf(values.last(pidsLimit))),
  PodmanArgs: (values) => ({ host: podmanArgs(values.words(checkPodmanArg)) }),
  PublishPort: () => ({}),
  Pull: () => ({}),
  ReadOnly: (values) => (isOn(values) ? { host: { ReadonlyRootfs: true } } : {}),
  RunInit: (values) => (isOn(values) ? { host: { Init: true } } : {}),
  ShmSize: (values) => onlyHost('ShmSize', bytesOf(values.last(size))),
  StopSignal: (values) => only('StopSignal', values.last(signal)),
  StopTimeout: (values) => only('StopTimeout', numberOf(values.last(stopTimeout))),
  Sysctl: (values) => ({ host: { Sysctls: Object.fromEntries(values.words(pair).map(splitPair)) } }),
  TimeoutStartSec: () => ({}),
  Tmpfs: (values) => ({ host: { Tmpfs: Object.fromEntries(values.lines(tmpfs).map(splitTmpfs)) } }),
  Ulimit: (values) => ({ host: { Ulimits: values.lines(ulimit).map(readUlimit) } }),
  User: () => ({}),
  Volume: (values) => ({ host: { Binds: values.lines(volume) } }),
  WorkingDir: (values) => only('WorkingDir', values.last(absolutePath)),
}

function only<K extends keyof CreateRequest>(key: K, value: CreateRequest[K] | null): Change {
  return value === null || value === undefined ? {} : { config: { [key]: value } }
}

function onlyHost<K extends keyof HostConfig>(key: K, value: HostConfig[K] | null): Change {
  return value === null || value === undefined ? {} : { host: { [key]: value } }
}

function isOn(values: KeyValues): boolean {
  return parseBoolean(values.last(boolean) ?? 'no') ?? false
}

/** Any text will do. */
export const anything: Check = () => null

const unless =
  (isFine: (text: string) => boolean, wanted: string): Check =>
  (text) =>
    isFine(text) ? null : `"${text}" is not ${wanted}`

const boolean = unless((text) => parseBoolean(text) !== null, 'yes or no')
const capability = unless((text) => /^(CAP_)?[A-Za-z_]+$/.test(text), 'a capability, such as CAP_NET_ADMIN')
const containerName = unless((text) => /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/.test(text), 'a name that Docker takes')
const hostName = unless((text) => /^[A-Za-z0-9]([A-Za-z0-9.-]{0,62})$/.test(text), 'a host name')
const ipAddress = unless(isAddress, 'an IP address')
const hostEntry = unless((text) => {
  const [, address = ''] = /^[^:\s]+:(\S+)$/.exec(text) ?? []
  return address === 'host-gateway' || isAddress(address)
}, 'a host and its address, name:ip')
export const pair = unless((text) => /^[^=]+=/.test(text), 'of the form key=value')
/** A name or number; the real-time ones too, for systemd in a container stops at SIGRTMIN+3. */
const signal = unless((text) => signalName(text) !== null || isRealTimeSignal(text), 'a signal')
export const absolutePath = unless((text) => text.startsWith('/'), 'an absolute path')
const pidsLimit = unless(
  (text) => text === '-1' || (parseCount(text) ?? 0) > 0,
  'a number of processes, or -1 for no limit',
)

/** A size in bytes: `256M`, to the base 1024. */
const size = unless((text) => {
  const bytes = parseSize(text)
  return bytes !== null && bytes > 0 && Number.isFinite(bytes)
}, 'a size, such as 256M')

const memory: Check = (text) =>
  size(text) ?? ((parseSize(text) ?? 0) < leastMemoryBytes ? 'Docker needs 6M or more' : null)

/** Seconds until the kill; -1 waits without end. */
const stopTimeout = unless(
  (text) => text === '-1' || parseCount(text, 2 ** 31 - 1) !== null,
  'a number of seconds, or -1',
)

/**
 * The programs that come before the one of the container, as `ExecStartPre=`, `InitImage=` (the number of a step, from 1, and
 * its image) and `TimeoutStartSec=` say; `pull` holds for all images.
 */
export function readInitPlan(
  commands: KeyValues,
  images: KeyValues,
  timeout: KeyValues,
  pull: PullRule,
): InitPlan {
  const span = timeout.last(unless((text) => parseTimeSpan(text) !== null, 'a time span, such as 90 or 5min'))
  const timeoutMs = (span === null ? null : parseTimeSpan(span)) ?? defaultInitTimeoutMs
  const isEndless = timeoutMs === 0 || !Number.isFinite(timeoutMs)
  const lines = commands.commands()
  const check = (text: string): string | null => stepImageProblem(text, lines.length)
  const stepImages = images.lines(check).flatMap((text) => readInitImage(text) ?? [])
  const imageOf = new Map(stepImages.map(({ step, image }) => [step, image]))
  const steps = lines.map((argv, index) => {
    const image = imageOf.get(index + 1)
    return image === undefined ? argv : { argv, image }
  })
  return { steps, timeoutMs: isEndless ? null : timeoutMs, ...(imageOf.size > 0 && { pull }) }
}

function stepImageProblem(text: string, steps: number): string | null {
  const read = readInitImage(text)
  if (read === null || read.step > steps)
    return `has to be the number of an ExecStartPre= line, from 1 to ${steps}, and an image`
  return imageProblem(read.image) ?? null
}

/** Whether `HealthCmd=none` switches off the check that the image brings; others are said with `HealthCheck=`. */
export function switchesCheckOff(values: KeyValues): boolean {
  return (
    values.last(unless((text) => text === 'none', 'none: give checks with [X-Mariposa] HealthCheck=')) !==
    null
  )
}

/** When an image is fetched, as `Pull=` says; `missing` where it does not. */
export function readPullPolicy(values: KeyValues): PullRule {
  const text = values.last(unless((word) => pullRuleOf(word) !== null, 'missing, always or never'))
  return (text === null ? null : pullRuleOf(text)) ?? 'missing'
}

const label: Check = (text) =>
  pair(text) ??
  (text.startsWith(labelPrefix) ? `labels that begin with ${labelPrefix} are Mariposa's own` : null)

const network: Check = (text) => {
  if (/\.(network|container)$/.test(text))
    return `"${text}" names a Quadlet file, which is not supported here; name the network itself`
  return /^(container:)?[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(text)
    ? null
    : `"${text}" is not bridge, host, none or the name of a network`
}

/** Docker's own rule for the parts; what Quadlet adds (its `.volume` files, paths relative to the unit) has no meaning here. */
const volume: Check = (text) => {
  const [source = '', target, options, ...more] = text.split(':')
  if (target === undefined) return `"${text}" is not of the form source:/path`
  if (!target.startsWith('/') || more.length > 0) return `"${text}" is not of the form source:/path[:options]`
  if (source.endsWith('.volume'))
    return `"${source}" names a Quadlet file, which is not supported here; name the volume itself`
  if (!/^(\/|[a-zA-Z0-9][a-zA-Z0-9_.-]+$)/.test(source))
    return `"${source}" is neither an absolute path nor the name of a volume`
  const known = /^(ro|rw|z|Z|nocopy|r?shared|r?slave|r?private)$/
  const odd = (options ?? 'rw').split(',').find((option) => !known.test(option))
  return odd === undefined ? null : `"${odd}" is not an option of a volume that Docker knows`
}

const tmpfs: Check = (text) => absolutePath(text)

function splitTmpfs(text: string): readonly [string, string] {
  const colon = text.indexOf(':')
  return colon === -1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)]
}

const device: Check = (text) =>
  /^\/[^:]+(:\/[^:]+)?(:[rwm]{1,3})?$/.test(text)
    ? null
    : `"${text}" is not of the form /dev/x[:/dev/y][:rwm]`

function readDevice(text: string): Device {
  const parts = text.split(':')
  const [source = ''] = parts
  const permissions = parts.slice(1).find((part) => !part.startsWith('/')) ?? 'rwm'
  return {
    PathOnHost: source,
    PathInContainer: parts.slice(1).find((part) => part.startsWith('/')) ?? source,
    CgroupPermissions: permissions,
  }
}

const ulimit: Check = (text) => {
  const [name, limits] = splitPair(text)
  if (/^[a-z]+$/.test(name) && parseResourceLimit(limits) !== null) return null
  return `"${text}" is not of the form name=soft[:hard], with soft not above hard and -1 for no limit`
}

function readUlimit(text: string): Ulimit {
  const [Name, limits] = splitPair(text)
  const { soft, hard } = parseResourceLimit(limits) ?? { soft: 0, hard: 0 }
  return { Name, Soft: soft, Hard: hard }
}

/** `key=value` at the first equals sign. */
export function splitPair(text: string): readonly [string, string] {
  const equals = text.indexOf('=')
  return [text.slice(0, equals), text.slice(equals + 1)]
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text)
}

/** Bytes of a size that was checked; null for none. */
function bytesOf(text: string | null): number | null {
  return text === null ? null : parseSize(text)
}
