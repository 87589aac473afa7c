// Docker's restart policies in systemd's options.
//
// What differs from Docker, and why: systemd's growing wait (`RestartSteps=`) goes by the number of restarts and does
// not fall back after a run of 10 s; before systemd 254 there is none at all, and the wait is one second.
import type { RestartPolicy } from '../../unit/x-mariposa.js'
import { hopelessStatuses } from './observe.js'

/** An option that is written after the unit's own. */
export type Addition = readonly [section: string, name: string, value: string]

/** The options that make this version of systemd restart by a policy. */
export function restartOptions({ name, max }: RestartPolicy, version: number): readonly Addition[] {
  if (name === 'no') return [['Service', 'Restart', 'no']]
  return [
    // An agent stops a unit by asking systemd, after which not even `always` restarts it.
    ['Service', 'Restart', name === 'on-failure' ? 'on-failure' : 'always'],
    ...waitOptions(version),
    ...limitOptions(max),
    // Docker does not try again what cannot be executed at all.
    ['Service', 'RestartPreventExitStatus', hopelessStatuses.join(' ')],
    ...(name === 'on-failure' ? [cleanSignalsFail] : []),
  ]
}

/** To Docker a program that a signal ended has failed; to systemd these four are clean ends. */
const cleanSignalsFail: Addition = ['Service', 'RestartForceExitStatus', 'SIGHUP SIGINT SIGTERM SIGPIPE']

/** The first systemd with a growing wait. */
const stepsSince = 254

function waitOptions(version: number): readonly Addition[] {
  if (version < stepsSince) return [['Service', 'RestartSec', '1s']]
  return [
    ['Service', 'RestartSec', '100ms'],
    // 100 ms doubled nine times is 51.2 s; the tenth step is the minute.
    ['Service', 'RestartSteps', '10'],
    ['Service', 'RestartMaxDelaySec', '60s'],
  ]
}

/** The limit counts starts, the first one included, over all time. */
function limitOptions(max: number | null): readonly Addition[] {
  if (max === null) return [['Unit', 'StartLimitIntervalSec', '0']]
  return [
    ['Unit', 'StartLimitIntervalSec', 'infinity'],
    ['Unit', 'StartLimitBurst', String(max + 1)],
  ]
}
