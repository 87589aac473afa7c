// What runs inside an instance before a volume is backed up: which program, and in which instance.
import type { Problem } from '../changes/problem.js'
import type { VolumeBody } from '../contract/contract.js'
import type { MachineId } from '../model/machine.js'
import type { Instance } from '../model/service.js'
import type { BackupHook } from '../model/volume.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { describeVolumeOf } from './bodies.js'

/** A program that is to run inside an instance. */
export interface HookRun {
  readonly instance: Instance
  readonly hook: BackupHook
}

/**
 * What is to run before a volume of a machine is read: what the version says that an instance with it runs; null for
 * nothing. Refused where the service says something, and none of its instances runs that could do it.
 */
export function hookRunOf(
  view: ClusterView,
  machine: MachineId,
  volume: VolumeBody,
): HookRun | Problem | null {
  const runs = view
    .instancesOf(serviceKey(volume.project, volume.service))
    .filter((one) => isUser(one, volume) && runsOn(view, machine, one))
    .sort((a, b) => a.n - b.n)
  for (const instance of runs) {
    const hook = hookOf(view, instance.version, volume.name)
    if (hook !== null) return { instance, hook }
  }
  const service = view.services.get(serviceKey(volume.project, volume.service))
  if (runs.length > 0 || service === undefined || !volume.current) return null
  return hookOf(view, service.current, volume.name) === null ? null : notRun(volume)
}

/** One that runs another program once prepares nothing. */
function isUser({ name, retired, oneOff }: Instance, { instances }: VolumeBody): boolean {
  return retired === null && oneOff === undefined && instances.includes(name)
}

function runsOn(view: ClusterView, machine: MachineId, { unit }: Instance): boolean {
  const report = view.reportOf(unit)
  return report?.active === 'active' && report.machine === machine
}

function hookOf(view: ClusterView, version: string, name: string): BackupHook | null {
  return view.versions.get(version)?.volumeBackups?.find((one) => one.name === name)?.before ?? null
}

/** The last lines of what a program has written, in one. */
export function lastWords(output: string): string {
  const lines = output.split('\n').flatMap((line) => line.trim() || [])
  return lines.slice(-linesTold).join(' | ')
}

const linesTold = 5

function notRun(volume: VolumeBody): Problem {
  return {
    status: 409,
    code: 'volume/hook-not-run',
    message: `before_backup of ${describeVolumeOf(volume)} needs a running instance with that volume, and there is none`,
    hint: 'start the service, or back up without the hook: --skip-hook',
  }
}
