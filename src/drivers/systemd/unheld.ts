// Limits that systemd passes over without a word where it lacks the controllers of control groups for them.
import type { UnitFile } from '../../unit/parse.js'
import { lastOf } from '../../unit/values.js'

/** What limits need of control groups; swap is limited by version 2 alone. */
export const controllers = ['cpu', 'memory', 'pids', 'devices', 'swap'] as const
export type Controller = (typeof controllers)[number]

const needs: Readonly<Record<string, Controller>> = {
  CPUQuota: 'cpu',
  MemoryMax: 'memory',
  MemorySwapMax: 'swap',
  TasksMax: 'pids',
  DeviceAllow: 'devices',
}

/** The options of a unit that nothing holds it to, where systemd lacks these. */
export function unheldOptions(file: UnitFile, lacking: ReadonlySet<Controller>): readonly string[] {
  return Object.entries(needs)
    .filter(([option, controller]) => lacking.has(controller) && isLimit(lastOf(file, 'Service', option)))
    .map(([option]) => `${option}=`)
}

function isLimit(value: string | null): boolean {
  return value !== null && value !== '' && value !== 'infinity'
}
