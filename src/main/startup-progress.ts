// What a daemon that does not serve yet waits for, as whoever asks it meanwhile is told.
import type { NotYet } from '../api/io/startup-server.js'
import { describeAway } from './condition.js'
import type { DuplicateMachineError } from './machine-presence.js'
import type { StoreConnectivity } from './store-connectivity.js'

/** How far a daemon has come with its start. */
export interface StartedSoFar {
  /** Whether its store has been opened. */
  hasStore: boolean
  /** Whose daemon has our machine's id; null while we do not know of any. */
  taken: DuplicateMachineError | null
}

/** What keeps a daemon from serving now. */
export function notYet({ hasStore, taken }: StartedSoFar, connectivity: StoreConnectivity): NotYet {
  const outage = connectivity.outage()
  if (outage !== null || !hasStore) {
    const message = describeAway(outage?.reason ?? 'it has not answered yet')
    return { code: 'store/unreachable', message, hint: ofEtcd }
  }
  if (taken !== null) return { code: taken.code, message: taken.message, hint: ofTaken }
  return { code: 'daemon/starting', message: 'the daemon is starting', hint: ofStart }
}

const ofEtcd =
  'nothing was changed; the daemon waits for a majority of the members of etcd: `etcdctl endpoint health --cluster` shows which of them answer'

const ofTaken =
  'nothing was changed; the daemon continues by itself once the id is free. If this is a copy of that machine, stop its daemon, give it another /etc/machine-id (systemd-machine-id-setup) and an empty data directory, and start it again'

const ofStart = 'nothing was changed; try again in a moment'
