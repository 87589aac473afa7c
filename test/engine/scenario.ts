// Engine scenarios as text: what there is, then `----`, then what the engine decides.
//
//   machine NAME [memory=MIB] [drivers=a,b] [cordoned]
//   unit NAME [memory=MIB] [ports=8080/tcp,0:80/tcp] [container] [desired=STATE] [on=MACHINE]
//   lose MACHINE            its presence ends
//   report UNIT active=STATE [port-taken]

import { absentUnit, freshMemory, reportOf } from '../../src/agent/report.js'
import { describeEviction, describeRefusal } from '../../src/engine/describe.js'
import type { EngineAction } from '../../src/engine/plan.js'
import type { DriverKind } from '../../src/model/driver-kind.js'
import type { MachineId } from '../../src/model/machine.js'
import type { DesiredState, UnitReport } from '../../src/model/unit.js'
import { putOf } from '../../src/store/records.js'
import { asUnitName } from '../../src/unit/name.js'
import { unitHash } from '../../src/unit/print.js'
import { World } from '../world/world.js'

/** Plays the text above the line and says what the engine decides, one action a line. */
export function playScenario(text: string): string {
  const world = new World()
  for (const line of text.split('\n')) {
    const words = line.replace(/#.*/, '').trim().split(/\s+/)
    if (words[0] !== '') act(world, words)
  }
  const decided = world.enginePass().map(describe)
  const again = world.enginePass().map(describe)
  return [...decided, ...again.map((one) => `then ${one}`)].join('\n')
}

function act(world: World, [verb = '', name = '', ...rest]: readonly string[]): void {
  const options = new Map(rest.map((word) => [word.split('=')[0] ?? '', word.slice(word.indexOf('=') + 1)]))
  const run = verbs.get(verb)
  if (run === undefined) throw new Error(`a scenario has no "${verb}"`)
  run(world, name, options)
}

type Verb = (world: World, name: string, options: ReadonlyMap<string, string>) => void

const verbs: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ['machine', addMachine],
  ['unit', addUnit],
  ['lose', (world, name) => world.loseMachine(machineId(name))],
  ['report', addReport],
])

function machineId(name: string): MachineId {
  return name.padEnd(32, '0') as MachineId
}

function addMachine(world: World, name: string, options: ReadonlyMap<string, string>): void {
  const drivers = (options.get('drivers') ?? 'process').split(',') as DriverKind[]
  const id = world.machine(name, { memoryMb: Number(options.get('memory') ?? 4096), drivers })
  if (options.has('cordoned')) world.apply([putOf('order', { id, cordoned: true })])
}

function addUnit(world: World, name: string, options: ReadonlyMap<string, string>): void {
  const unit = asUnitName(`${name}.service`)
  const text = unitText(options)
  const hash = unitHash(text)
  const desired = (options.get('desired') ?? 'launched') as DesiredState
  world.now += 1
  world.apply([
    putOf('file', { hash, text }),
    putOf('unit', { name: unit, hash, desired, instance: null, createdAt: world.now }),
  ])
  const on = options.get('on')
  if (on === undefined) return
  const needs = world.units.needs({ name: unit, hash, desired, instance: null, createdAt: 0 })
  const ports = needs.ports.map(({ ip, host, container, protocol }) => ({
    ip,
    host: host ?? 20_000,
    container,
    protocol,
  }))
  world.apply([putOf('placement', { unit, machine: machineId(on), ports, cause: { kind: 'new' }, at: 0 })])
}

function unitText(options: ReadonlyMap<string, string>): string {
  const program = options.has('container') ? '[Container]\nImage=web' : '[Service]\nExecStart=/bin/web'
  const memory = options.has('memory') ? [`Memory=${options.get('memory') ?? ''}`] : []
  const ports = (options.get('ports')?.split(',') ?? []).map((port) => `Port=${port}`)
  return [program, '[X-Mariposa]', ...memory, ...ports, ''].join('\n')
}

function addReport(world: World, name: string, options: ReadonlyMap<string, string>): void {
  const unit = asUnitName(`${name}.service`)
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
  }
  world.apply([putOf('report', report)])
}

function describe(action: EngineAction): string {
  const short = (unit: string): string => unit.replace(/\.service$/, '')
  const machine = (id: string): string => id.replace(/0+$/, '')
  switch (action.kind) {
    case 'place': {
      const { unit, machine: id, ports } = action.placement
      return `place ${short(unit)} on ${machine(id)}${ports.map((port) => ` ${port.host}:${port.container}`).join('')}`
    }
    case 'evict':
      return `evict ${short(action.unit)} from ${machine(action.machine)}: ${describeEviction(action.cause)}`
    case 'wait': {
      const reasons = action.waiting.refusals.map(
        (one) => `${machine(one.machine)} ${describeRefusal(one.refusal)}`,
      )
      return `${short(action.waiting.unit)} waits: ${reasons.join('; ') || 'no machine'}`
    }
    case 'stop-waiting':
      return `${short(action.unit)} waits no longer`
  }
}
