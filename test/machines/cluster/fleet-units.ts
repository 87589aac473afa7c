// Units as a client of fleet's API works with them.
import type { ClusterMachine } from './cluster-machine.js'

export type FleetState = 'inactive' | 'loaded' | 'launched'

export interface FleetUnit {
  readonly name: string
  readonly desiredState: FleetState
  readonly currentState?: FleetState
  readonly machineID?: string
}

/** A service that runs until it is stopped, and what it asks of the scheduler, `MachineOf=a.service`, line by line. */
export function unitText(...fleet: readonly string[]): string {
  return `[Service]\nExecStart=/bin/sleep 1000000\n\n[X-Fleet]\n${fleet.join('\n')}\n`
}

/** Creates a unit in a state; throws what the daemon said where it refuses. */
export async function submit(
  machine: ClusterMachine,
  name: string,
  desiredState: FleetState,
  text = unitText(),
): Promise<void> {
  await succeed(machine, 'PUT', `/fleet/v1/units/${name}`, { desiredState, options: optionsOf(text) })
}

/** Gives a unit that is there another desired state. */
export async function setState(
  machine: ClusterMachine,
  name: string,
  desiredState: FleetState,
): Promise<void> {
  await succeed(machine, 'PUT', `/fleet/v1/units/${name}`, { desiredState })
}

export async function destroy(machine: ClusterMachine, name: string): Promise<void> {
  await succeed(machine, 'DELETE', `/fleet/v1/units/${name}`)
}

export async function listUnits(machine: ClusterMachine): Promise<readonly FleetUnit[]> {
  return await allPages<FleetUnit>(machine, 'units', 'units')
}

export interface FleetUnitState {
  readonly name: string
  readonly machineID: string
  readonly systemdLoadState: string
  readonly systemdActiveState: string
  readonly systemdSubState: string
}

export async function listStates(machine: ClusterMachine): Promise<readonly FleetUnitState[]> {
  return await allPages<FleetUnitState>(machine, 'state', 'states')
}

async function allPages<T>(machine: ClusterMachine, resource: string, key: string): Promise<readonly T[]> {
  const items: T[] = []
  for (let token: string | undefined = ''; token !== undefined; ) {
    const query: string = token === '' ? '' : `?nextPageToken=${encodeURIComponent(token)}`
    const page = JSON.parse(await succeed(machine, 'GET', `/fleet/v1/${resource}${query}`)) as Page<T>
    items.push(...((page[key] ?? []) as readonly T[]))
    token = page['nextPageToken'] as string | undefined
  }
  return items
}

type Page<T> = Readonly<Record<string, readonly T[] | string | undefined>>

async function succeed(machine: ClusterMachine, method: string, path: string, body?: unknown) {
  const { status, text } = await machine.ask(method, path, body)
  if (status >= 300) throw new Error(`${machine.name}: ${method} ${path}: ${status} ${text}`)
  return text
}

function optionsOf(text: string) {
  let section = ''
  const options: { readonly section: string; readonly name: string; readonly value: string }[] = []
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const header = /^\[(.+)\]$/.exec(line)
    if (header !== null) section = header[1] ?? ''
    else {
      const [name = '', value = ''] = line.split(/=(.*)/s)
      options.push({ section, name, value })
    }
  }
  return options
}
