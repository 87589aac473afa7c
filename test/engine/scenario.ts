// Engine scenarios as text: what there is, then `----`, then what the engine decides.
//
//   machine NAME [memory=MIB] [cpus=N] [drivers=a,b] [meta=key:value,…] [cordoned]
//   unit NAME [memory=MIB] [ports=8080/tcp,0:80/tcp] [container] [instance=SERVICE-N] [desired=STATE] [on=MACHINE]
//     an indented line is a line of the unit above: [X-Fleet], MachineOf=db.service, …
//     a machine of a name that is there already is changed
//   cordon MACHINE, uncordon MACHINE, drain MACHINE
//   lose MACHINE            its presence ends
//   known MACHINE, forget MACHINE: its last record is there when it is lost, or is there no more
//   destroy UNIT            it is no longer wanted
//   report UNIT active=STATE [port-taken] [may-start]
//   pass                    the engine decides, and what it says is done
import { absentUnit, freshMemory, reportOf } from '../../src/agent/report.js'
import { describeEviction, describeWaiting } from '../../src/engine/describe.js'
import type { EngineAction } from '../../src/engine/pass-decisions.js'
import type { DriverKind } from '../../src/model/driver-kind.js'
import type { MachineId, MachineSettings } from '../../src/model/machine.js'
import type { DesiredState, InstanceRef, UnitName, UnitReport } from '../../src/model/unit.js'
import { keys, putOf } from '../../src/store/records.js'
import { asUnitName } from '../../src/unit/name.js'
import { unitHash } from '../../src/unit/print.js'
import { World } from '../world/world.js'

/** Plays the text above the line and says what the engine decides, one action a line. */
export function playScenario(text: string): string {
  const world = new World()
  for (const line of statements(text)) act(world, line)
  const decided = world.enginePass().map(describe)
  const again = world.enginePass().map(describe)
  return [...decided, ...again.map((one) => `then ${one}`)].join('\n')
}

interface Statement {
  readonly words: readonly string[]
  /** The indented lines behind it. */
  readonly lines: string[]
}

function statements(text: string): readonly Statement[] {
  const found: Statement[] = []
  for (const line of text.split('\n')) {
    const words = line.replace(/#.*/, '').trim().split(/\s+/)
    if (words[0] === '') continue
    if (line.startsWith(' ')) found.at(-1)?.lines.push(line.trim())
    else found.push({ words, lines: [] })
  }
  return found
}

function act(world: World, { words, lines }: Statement): void {
  const [verb = '', name = '', ...rest] = words
  const options = new Map(rest.map((word) => [word.split('=')[0] ?? '', word.slice(word.indexOf('=') + 1)]))
  const run = verbs.get(verb)
  if (run === undefined) throw new Error(`a scenario has no "${verb}"`)
  run(world, name, options, lines)
}

type Verb = (
  world: World,
  name: string,
  options: ReadonlyMap<string, string>,
  lines: readonly string[],
) => void

const verbs: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ['machine', addMachine],
  ['cordon', (world, name) => order(world, name, true)],
  ['uncordon', (world, name) => order(world, name, false)],
  ['drain', (world, name) => world.apply([putOf('order', drained(machineId(name)))])],
  ['unit', addUnit],
  ['lose', (world, name) => world.loseMachine(machineId(name))],
  ['known', know],
  ['forget', (world, name) => world.apply([{ op: 'delete', key: keys.knownMachine(machineId(name)) }])],
  ['destroy', (world, name) => world.apply([{ op: 'delete', key: keys.unit(unitName(name)) }])],
  ['report', addReport],
  ['pass', (world) => void world.enginePass()],
])

function machineId(name: string): MachineId {
  return name.padEnd(32, '0') as MachineId
}

/** `web` stands for web.service. */
function unitName(name: string): UnitName {
  return asUnitName(/\.(service|socket|timer)$/.test(name) ? name : `${name}.service`)
}

function addMachine(world: World, name: string, options: ReadonlyMap<string, string>): void {
  const drivers = (options.get('drivers') ?? 'process').split(',') as DriverKind[]
  const metadata = Object.fromEntries((options.get('meta')?.split(',') ?? []).map((pair) => pair.split(':')))
  const memoryMb = Number(options.get('memory') ?? 4096)
  const id = world.machine(name, { memoryMb, cpus: Number(options.get('cpus') ?? 2), drivers, metadata })
  if (options.has('cordoned')) world.apply([putOf('order', { id, cordoned: true })])
}

function know(world: World, name: string): void {
  const record = world.view.machines.get(machineId(name))
  if (record === undefined) throw new Error(`${name} is not there`)
  world.apply([putOf('knownMachine', record)])
}

function order(world: World, name: string, cordoned: boolean): void {
  world.apply([putOf('order', { id: machineId(name), cordoned })])
}

function drained(id: MachineId): MachineSettings {
  return { id, cordoned: true, drain: { since: 0, parallel: 1 } }
}

function addUnit(
  world: World,
  name: string,
  options: ReadonlyMap<string, string>,
  lines: readonly string[],
): void {
  const unit = unitName(name)
  const text = unitText(options, lines)
  const hash = unitHash(text)
  const desired = (options.get('desired') ?? 'launched') as DesiredState
  const instance = options.has('instance') ? instanceRef(options.get('instance') ?? '') : null
  world.now += 1
  const record = { name: unit, hash, desired, instance, createdAt: world.now }
  world.apply([putOf('file', { hash, text }), putOf('unit', record)])
  const on = options.get('on')
  if (on === undefined) return
  const ports = world.units.needs(record).ports.map(({ ip, host, container, protocol }) => ({
    ip,
    host: host ?? 20_000,
    container,
    protocol,
  }))
  const at = world.now
  world.apply([putOf('placement', { unit, machine: machineId(on), ports, cause: { kind: 'new' }, at })])
}

function instanceRef(name: string): InstanceRef {
  const [, service = '', n = ''] = /^(.+)-(\d+)$/.exec(name) ?? []
  return { project: 'default', service, name, n: Number(n), uuid: `uuid-of-${name}`, version: 'v1' }
}

function unitText(options: ReadonlyMap<string, string>, lines: readonly string[]): string {
  const program = options.has('container') ? '[Container]\nImage=web' : '[Service]\nExecStart=/bin/web'
  const memory = options.has('memory') ? [`Memory=${options.get('memory') ?? ''}`] : []
  const ports = (options.get('ports')?.split(',') ?? []).map((port) => `Port=${port}`)
  return [program, '[X-Mariposa]', ...memory, ...ports, ...lines, ''].join('\n')
}

function addReport(world: World, name: string, options: ReadonlyMap<string, string>): void {
  const unit = unitName(name)
  const placement = world.view.placements.get(unit)
  if (placement === undefined) throw new Error(`${name} is nowhere, so nobody reports it`)
  const port = placement.ports[0]?.host
  const failure = {
    code: 'agent/port-taken',
    message: '',
    permanent: false,
    ...(port === undefined ? {} : { port }),
  }
  const report: UnitReport = {
    ...reportOf(placement.machine, absentUnit(unit, 'process'), freshMemory),
    active: (options.get('active') ?? 'active') as UnitReport['active'],
    failure: options.has('port-taken') ? failure : null,
    ...(options.has('may-start') && { mayStart: true }),
  }
  world.apply([putOf('report', report)])
}

/** One decision in a line, with short names. */
export function describe(action: EngineAction): string {
  const short = (unit: string): string => unit.replace(/\.service$/, '')
  const machine = (id: string): string => id.replace(/0+$/, '')
  switch (action.kind) {
    case 'place': {
      const { unit, machine: id, ports } = action.placement
      return `place ${short(unit)} on ${machine(id)}${ports.map((port) => ` ${port.host}:${port.container}`).join('')}`
    }
    case 'evict': {
      const { unit, machine: id } = action.placement
      return `evict ${short(unit)} from ${machine(id)}: ${describeEviction(action.cause)}`
    }
    case 'wait': {
      const { unit, refusals, lostOn } = action.waiting
      const lost = lostOn === undefined ? '' : ` (lost with ${machine(lostOn)})`
      return `${short(unit)} waits${lost}: ${describeWaiting(refusals, machine)}`
    }
    case 'stop-waiting':
      return `${short(action.unit)} waits no longer`
  }
}
