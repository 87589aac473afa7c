// systemd over D-Bus: the few calls and signals that the driver needs. No other file knows the library.
import { createClient, DBusError, type Message, type MessageBus } from 'dbus-native'
import type { Time } from '../../../lib/time.js'
import { Pulse } from '../../io/pulse.js'
import type { Properties } from '../observe.js'
import { trackJobs } from './jobs.js'
import { limitPending } from './pending.js'

export interface SystemdBus {
  /** The directories that unit files come from, most important first. */
  readonly unitPath: readonly string[]
  /** Whether systemd has not answered for too long: then every call fails at once, and jobs that are waited for have failed. */
  readonly isSilent: boolean
  /** One line per name. Units that are not in memory are loaded to look at them, so that a bad unit file shows. */
  listUnits(names: readonly string[]): Promise<readonly UnitLine[]>
  /** Those of the names that systemd has in memory. */
  inMemory(names: readonly string[]): Promise<readonly UnitLine[]>
  /** All properties of a unit: those that every unit has, and those of its type. */
  readUnit(name: string): Promise<Properties>
  /** One property that every unit of the type has. */
  readProperty(name: string, property: string): Promise<unknown>
  /** Carries out a job and resolves to its result: `done`, `failed`, `timeout`, `dependency`, `canceled`, … */
  run(verb: 'StartUnit' | 'StopUnit' | 'RestartUnit', name: string, signal: AbortSignal): Promise<string>
  /** Sends a signal to every process of a unit, or to that one; resolves to whether there was one. */
  kill(name: string, signal: number, whom?: 'all' | 'main'): Promise<boolean>
  resetFailed(name: string): Promise<void>
  reload(): Promise<void>
  close(): Promise<void>
}

export interface UnitLine {
  readonly name: string
  readonly load: string
  readonly active: string
  readonly sub: string
}

interface BusOptions {
  /** systemd's private socket: no broker in between, and no limit on pending calls. */
  readonly socketPath: string
  /** The system bus, for where the private socket does not answer; null: there is no second choice. */
  readonly systemBusPath: string | null
  readonly time: Time
  readonly onChange: (change: BusChange) => void
}

export type BusChange =
  | { readonly kind: 'properties'; readonly path: string; readonly changed: Properties }
  /** systemd has read all unit files again. */
  | { readonly kind: 'reloaded' }
  /** The connection was away, or systemd is silent, or no longer; anything may have happened unseen. */
  | { readonly kind: 'reconnected' }

const callTimeoutMs = 25_000
/** How long systemd may take until it has answered for the first time, by each of the ways. */
const firstAnswerMs = 10_000
/** How long the other end may take to see that we leave. */
const closesWithinMs = 1000
/** The system bus closes in on a client that has more than 128 calls without an answer. */
const maxPending = 64

const manager = { path: '/org/freedesktop/systemd1', interface: 'org.freedesktop.systemd1.Manager' } as const
const destination = 'org.freedesktop.systemd1'
const pingCall = { path: manager.path, interface: 'org.freedesktop.DBus.Peer', member: 'Ping' } as const
const propertiesInterface = 'org.freedesktop.DBus.Properties'

/** Connects to systemd. Throws what the last way tried came to, where none leads there. */
export async function connectSystemd(options: BusOptions): Promise<SystemdBus> {
  try {
    return await openBus({ socket: options.socketPath, direct: true }, options)
  } catch (error) {
    if (options.systemBusPath === null) throw error
    return await openBus({ socket: options.systemBusPath, direct: false }, options)
  }
}

/** systemd takes connections and does not answer. */
export class BusSilent extends Error {
  override readonly name = 'BusSilent'
  constructor() {
    super('systemd accepts connections but does not answer')
  }
}

interface Address {
  readonly socket: string
  /** Straight to systemd, not over a bus. */
  readonly direct: boolean
}

async function openBus(
  address: Address,
  { onChange, time }: Pick<BusOptions, 'onChange' | 'time'>,
): Promise<SystemdBus> {
  const client = dial(address)
  let pulse: Pulse | null = null
  const isSilent = (): boolean => pulse?.isSilent === true
  const call = caller(client, isSilent)
  const jobs = trackJobs()
  client.connection.on('message', (message) => {
    pulse?.heard()
    if (message.interface === manager.interface && message.member === 'JobRemoved') jobs.removed(message.body)
    const change = readChange(message)
    if (change !== null) onChange(change)
  })
  client.connection.on('close', () => jobs.fail(new Error('the connection to systemd was lost')))
  onReconnect(client, address, () => {
    // Where this fails the connection has gone again, and comes back here.
    wakeUp(call).catch(() => {})
    onChange({ kind: 'reconnected' })
  })
  const close = async (): Promise<void> => {
    pulse?.close()
    // `end` also ends what the library does to connect again.
    client.connection.end()
    // One that hangs does not see it.
    const late = time.after(closesWithinMs, () => client.connection.stream.destroy())
    await client.close()
    late.cancel()
  }
  const begin = async (): Promise<unknown> => {
    await subscribe(client, call, address)
    return await call.properties(manager.path, 'Get', 'ss', manager.interface, 'UnitPath')
  }
  try {
    const unitPath = await unlessSilent(begin(), time)
    pulse = new Pulse({
      // Past all that waits for an answer.
      ask: async () => await client.invoke({ destination, ...pingCall }),
      time,
      onChange: (nowSilent) => {
        if (nowSilent) jobs.fail(new BusSilent())
        onChange({ kind: 'reconnected' })
      },
    })
    return {
      ...verbs(call, jobs),
      unitPath: unitPath as string[],
      get isSilent() {
        return isSilent()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function unlessSilent<T>(work: Promise<T>, time: Time): Promise<T> {
  let giveUp = (): void => {}
  const silent = new Promise<never>((_, reject) => {
    giveUp = () => reject(new BusSilent())
  })
  const timer = time.after(firstAnswerMs, giveUp)
  try {
    return await Promise.race([work, silent])
  } finally {
    timer.cancel()
  }
}

function dial(address: Address): MessageBus {
  const client = createClient({
    ...address,
    returnBigInt: true,
    plainValues: true,
    timeout: callTimeoutMs,
    reconnect: { minDelay: 50, maxDelay: 5_000 },
  })
  // What a broken connection means shows in the calls that it fails.
  client.connection.on('error', () => {})
  return client
}

/** A bus wants names and rules back first, which the library sees to; systemd itself knows neither. */
function onReconnect(client: MessageBus, { direct }: Address, again: () => void): void {
  if (direct) {
    client.connection.on('reconnect', again)
    return
  }
  client.on('reconnected', again)
  client.on('reconnectError', () => client.connection.stream.destroy())
}

/** Over the private socket signals come by themselves; over the bus they must be asked for. */
async function subscribe(client: MessageBus, call: Caller, { direct }: Address): Promise<void> {
  await wakeUp(call)
  if (direct) return
  for (const rule of matchRules) await client.addMatch(rule)
  await call.manager('Subscribe')
}

/**
 * Resolves once systemd answers. Messages that reach it together with the end of the handshake lie in its buffer until
 * more comes in (seen with systemd 252), so more comes in until it answers.
 */
async function wakeUp(call: Caller): Promise<void> {
  const again = setInterval(() => void call.ping().catch(() => {}), 20)
  try {
    await call.ping()
  } finally {
    clearInterval(again)
  }
}

const matchRules = [
  `type='signal',sender='org.freedesktop.systemd1',interface='${manager.interface}'`,
  `type='signal',sender='org.freedesktop.systemd1',interface='${propertiesInterface}',path_namespace='${manager.path}/unit'`,
]

interface Caller {
  ping(): Promise<unknown>
  manager(member: string, signature?: string, ...body: readonly unknown[]): Promise<unknown>
  properties(path: string, member: string, signature: string, ...body: readonly unknown[]): Promise<unknown>
}

function caller(client: MessageBus, isSilent: () => boolean): Caller {
  const limit = limitPending(maxPending)
  const call = async (message: Message): Promise<unknown> => {
    if (isSilent()) throw new BusSilent()
    return await limit(async () => {
      if (isSilent()) throw new BusSilent()
      return await client.invoke({ destination, ...message }).then(undefined, rethrow)
    })
  }
  return {
    ping: () => call(pingCall),
    manager: (member, signature, ...body) =>
      call({ ...manager, member, ...(signature === undefined ? {} : { signature, body: [...body] }) }),
    properties: (path, member, signature, ...body) =>
      call({ path, interface: propertiesInterface, member, signature, body: [...body] }),
  }
}

function verbs(
  call: Caller,
  jobs: ReturnType<typeof trackJobs>,
): Omit<SystemdBus, 'unitPath' | 'isSilent' | 'close'> {
  return {
    listUnits: async (names) =>
      ((await call.manager('ListUnitsByNames', 'as', names)) as string[][]).map(readUnitLine),
    inMemory: async (names) =>
      ((await call.manager('ListUnitsByPatterns', 'asas', [], names.map(asPattern))) as string[][]).map(
        readUnitLine,
      ),
    // An empty interface stands for all of them.
    readUnit: async (name) => (await call.properties(unitPathOf(name), 'GetAll', 's', '')) as Properties,
    readProperty: (name, property) =>
      call.properties(unitPathOf(name), 'Get', 'ss', typeInterfaceOf(name), property),
    run: (verb, name, signal) =>
      jobs.run(async () => String(await call.manager(verb, 'ss', name, 'replace')), signal),
    kill: async (name, number, whom = 'all') => {
      try {
        await call.manager('KillUnit', 'ssi', name, `${whom}-fail`, number)
        return true
      } catch (error) {
        if (error instanceof BusError && noProcess.test(error.dbusName)) return false
        throw error
      }
    },
    resetFailed: async (name) => void (await call.manager('ResetFailedUnit', 's', name)),
    reload: async () => void (await call.manager('Reload')),
  }
}

function readUnitLine(line: readonly string[]): UnitLine {
  const [name = '', , load = '', active = '', sub = ''] = line
  return { name, load, active, sub }
}

/** A pattern that matches this name alone: of the characters that names may have, only the backslash means more. */
function asPattern(name: string): string {
  return name.replaceAll('\\', '\\\\')
}

function typeInterfaceOf(name: string): string {
  const type = name.slice(name.lastIndexOf('.') + 1)
  return `org.freedesktop.systemd1.${type.charAt(0).toUpperCase()}${type.slice(1)}`
}

function readChange({ path = '', interface: from, member, body = [] }: Message): BusChange | null {
  if (
    from === propertiesInterface &&
    member === 'PropertiesChanged' &&
    path.startsWith(`${manager.path}/unit/`)
  ) {
    return { kind: 'properties', path, changed: body[1] as Properties }
  }
  // Said twice: true as it begins, false when it is done.
  return from === manager.interface && member === 'Reloading' && body[0] === false
    ? { kind: 'reloaded' }
    : null
}

/** systemd refused a call. `dbusName` is the D-Bus name of the error. */
export class BusError extends Error {
  override readonly name = 'BusError'
  readonly dbusName: string
  constructor(dbusName: string, message: string, options: ErrorOptions) {
    super(message, options)
    this.dbusName = dbusName
  }
}

function rethrow(error: unknown): never {
  if (error instanceof DBusError) {
    throw new BusError(error.dbusName ?? 'org.freedesktop.DBus.Error.Failed', error.message, { cause: error })
  }
  throw error
}

/** What systemd says of a unit without a process that a signal is for. */
const noProcess = /^(System\.Error\.ESRCH|org\.freedesktop\.systemd1\.NoSuchProcess)$/

/** Whether systemd said that it holds no such unit. */
export function isNoSuchUnit(error: unknown): boolean {
  return error instanceof BusError && error.dbusName === 'org.freedesktop.systemd1.NoSuchUnit'
}

/** The object of a unit, by systemd's rule for names in object paths. */
export function unitPathOf(name: string): string {
  const escaped = [...new TextEncoder().encode(name)].map((byte, index) => {
    const char = String.fromCharCode(byte)
    return /[a-zA-Z]/.test(char) || (index > 0 && /[0-9]/.test(char))
      ? char
      : `_${byte.toString(16).padStart(2, '0')}`
  })
  return `${manager.path}/unit/${escaped.join('')}`
}
