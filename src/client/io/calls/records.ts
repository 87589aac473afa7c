// Records as the store has them, and the key that secrets are sealed with.
import type {
  RecordBody,
  RemovedRecord,
  RemoveRecordRequest,
  SecretRotateRequest,
  SecretRotateResponse,
  UnreadableBody,
} from '../../../contract/contract.js'
import { paths } from '../../../contract/contract.js'
import { lookAt } from '../../commands-to-check.js'
import { anything, by, each } from '../../forms.js'
import type { Page, PageQuery } from '../../page.js'
import type { Requests } from '../requests.js'

export interface RecordCalls {
  /** Records that the daemon cannot read. */
  unreadable(signal?: AbortSignal, page?: PageQuery): Promise<Page<UnreadableBody>>
  /** A record as the store has it. */
  record(key: string, signal?: AbortSignal): Promise<RecordBody>
  /** The lines of an export, parsed; without `history` events and deliveries are left out. */
  exportRecords(history: boolean, signal?: AbortSignal): AsyncIterable<unknown>
  removeRecord(request: RemoveRecordRequest, signal?: AbortSignal): Promise<RemovedRecord>
  rotateSecrets(request: SecretRotateRequest, signal?: AbortSignal): Promise<SecretRotateResponse>
}

export function recordCalls({ get, list, changeBy, lines }: Requests): RecordCalls {
  return {
    unreadable: (signal, page) => list(each('key'), paths.unreadable, signal, page),
    record: (key, signal) => get(by('key'), paths.record, signal, { key }),
    exportRecords: (history, signal) =>
      lines(
        anything,
        { method: 'GET', path: paths.exportRecords, query: history ? {} : { history: 'false' } },
        signal,
      ),
    removeRecord: (request, signal) =>
      changeBy(by('key'), 'mariposa store check', paths.removeRecord, request, signal),
    rotateSecrets: (request, signal) =>
      changeBy(by('fingerprint'), lookAt.secrets, paths.rotateSecrets, request, signal),
  }
}
