// What has come of a deploy beside what its plan showed.
import type { InstanceBody, PlannedService } from '../contract/contract.js'

/** Where a service is not as planned when its deploy is done; one line each. */
export function describeDifferences(
  planned: PlannedService,
  instances: readonly InstanceBody[],
  hostnameOf: (machine: string) => string,
): readonly string[] {
  const live = instances.filter(
    ({ service, state }) => service === planned.service && state !== 'stopped' && state !== 'failed',
  )
  const started = planned.start.flatMap(({ name, machine, hostname }) => {
    const found = live.find((one) => one.name === name)
    if (found === undefined) return [`${name} was to run on ${hostname ?? 'a machine'}, and does not`]
    if (found.machine === machine) return []
    const place = found.machine === null ? 'nowhere' : `on ${hostnameOf(found.machine)}`
    return [`${name} was to run on ${hostname ?? 'a machine'}, and is ${place}`]
  })
  const found = planned.unplaced.flatMap(({ name }) => {
    const machine = live.find((one) => one.name === name)?.machine ?? null
    return machine === null ? [] : [`${name} was to find no place, and is on ${hostnameOf(machine)}`]
  })
  const stopped = planned.stop.filter(({ name }) => live.some((one) => one.name === name))
  const told = new Set([...planned.start, ...planned.unplaced].map(({ name }) => name))
  const more = live.filter(({ name }) => numberOf(name) > planned.lastInstance && !told.has(name))
  return [
    ...started,
    ...found,
    ...stopped.map(({ name }) => `${name} was to stop, and did not`),
    ...more.map(
      ({ name, machine }) =>
        `${name} was not planned${machine === null ? '' : `, and is on ${hostnameOf(machine)}`}`,
    ),
  ]
}

function numberOf(instance: string): number {
  return Number(instance.slice(instance.lastIndexOf('-') + 1))
}
