// Docker's restart policies in systemd's options. systemd knows whether a unit is restarted; it cannot know Docker's
// wait, which grows with each restart and falls back after a run of 10 s. So its own wait is the longest, and the driver
// has the unit restarted when Docker's is over (docs/decisions/0021-restarts-under-systemd.md).
import type { RestartPolicy } from '../../unit/x-mariposa.js'
import { hopelessStatuses } from './observe.js'

/** An option that is written after the unit's own. */
export type Addition = readonly [section: string, name: string, value: string]

/** The options that make systemd restart by a policy. */
export function restartOptions({ name, max }: RestartPolicy): readonly Addition[] {
  if (name === 'no') return [['Service', 'Restart', 'no']]
  return [
    // An agent stops a unit by asking systemd, after which not even `always` restarts it.
    ['Service', 'Restart', name === 'on-failure' ? 'on-failure' : 'always'],
    ['Service', 'RestartSec', '60s'],
    ...limitOptions(max),
    // Docker does not try again what cannot be executed at all.
    ['Service', 'RestartPreventExitStatus', hopelessStatuses.join(' ')],
    ...(name === 'on-failure' ? [cleanSignalsFail] : []),
  ]
}

/** To Docker a program that a signal ended has failed; to systemd these four are clean ends. */
const cleanSignalsFail: Addition = ['Service', 'RestartForceExitStatus', 'SIGHUP SIGINT SIGTERM SIGPIPE']

/** The limit counts starts, the first one included, over all time. */
function limitOptions(max: number | null): readonly Addition[] {
  if (max === null) return [['Unit', 'StartLimitIntervalSec', '0']]
  return [
    ['Unit', 'StartLimitIntervalSec', 'infinity'],
    ['Unit', 'StartLimitBurst', String(max + 1)],
  ]
}
