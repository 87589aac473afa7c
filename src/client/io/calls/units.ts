// Units, as fleet knows them.
import type {
  ExplainedUnit,
  LogRecord,
  UnitBody,
  UnitChangeRequest,
  UnitChangeResponse,
  UnitDetails,
  UnitKillBody,
  UnitProgress,
} from '../../../contract/contract.js'
import { paths } from '../../../contract/contract.js'
import type { DesiredState } from '../../../model/unit.js'
import { lookAt } from '../../commands-to-check.js'
import { by, each } from '../../forms.js'
import type { Page, PageQuery } from '../../page.js'
import type { LogsQuery } from '../../queries.js'
import { logsQuery } from '../../queries.js'
import type { Requests } from '../requests.js'

export interface UnitCalls {
  units(signal?: AbortSignal, page?: PageQuery): Promise<Page<UnitBody>>
  unit(name: string, signal?: AbortSignal): Promise<UnitDetails>
  changeUnits(request: UnitChangeRequest, signal?: AbortSignal): Promise<UnitChangeResponse>
  /** Looks at units until each is as wanted (null: gone) or will not be; the first look comes at once. */
  unitProgress(
    names: readonly string[],
    wanted: DesiredState | null,
    signal?: AbortSignal,
  ): AsyncIterable<UnitProgress>
  unitJournal(name: string, query: LogsQuery, signal?: AbortSignal): AsyncIterable<LogRecord>
  explainUnit(name: string, signal?: AbortSignal): Promise<ExplainedUnit>
  /** Sends a signal to all processes of a unit, on every machine that has it. */
  killUnit(name: string, how: string, signal?: AbortSignal): Promise<UnitKillBody>
}

export function unitCalls({ get, list, change, changeBy, lines, sse }: Requests): UnitCalls {
  return {
    units: (signal, page) => list(each('name'), paths.units, signal, page),
    unit: (name, signal) => get(by('name'), paths.unit(name), signal),
    changeUnits: (request, signal) => changeBy(by('units'), lookAt.units, paths.unitChanges, request, signal),
    unitProgress: (names, wanted, signal) =>
      sse(by('units'), { method: 'POST', path: paths.unitProgress, json: { units: names, wanted } }, signal),
    unitJournal: (name, query, signal) =>
      lines(by('line'), { method: 'GET', path: paths.unitJournal(name), query: logsQuery(query) }, signal),
    explainUnit: (name, signal) => get(by('name'), paths.unitExplain(name), signal),
    killUnit: (name, how, signal) =>
      change(
        by('unit'),
        lookAt.unit(name),
        { method: 'POST', path: paths.unitKill(name), query: { signal: how } },
        signal,
      ),
  }
}
