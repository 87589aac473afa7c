// fleet's API v1: which request comes to what. Paths are those below the mount, with their escapes undone.

import { writesFor } from '../../changes/unit-writes.js'
import type { Instant } from '../../lib/time.js'
import type { PolicyHere } from '../../model/policy.js'
import type { DesiredUnit, UnitName, UnitReport } from '../../model/unit.js'
import type { ClusterView } from '../../store/view.js'
import { toUnitName } from '../../unit/name.js'
import { discoveryJson } from './discovery.js'
import { machineJson, pageJson, stateJson, unitJson } from './entities.js'
import type { FleetFiles } from './files.js'
import type { FleetLists, ListName } from './lists.js'
import { answered, changed, type FleetOutcome, refused } from './outcome.js'
import { pageOf, readPageToken } from './pages.js'
import { patchMachines } from './patch-machines.js'
import { ofService, putUnit } from './put-unit.js'

export interface FleetRequest {
  readonly method: string
  /** `/units/web.service`; empty for the mount itself. */
  readonly path: string
  readonly query: URLSearchParams
  readonly contentTypes: readonly string[]
  readonly body: string
  /** Units that its client has just set from launched to loaded, and is still told to be launched. */
  readonly restarting: ReadonlySet<UnitName>
}

export interface FleetParts {
  readonly view: ClusterView
  readonly files: FleetFiles
  readonly lists: FleetLists
  readonly isGlobal: (unit: DesiredUnit) => boolean
  /** What the operator of this machine lets units do. */
  readonly policy: () => PolicyHere | null
}

/** Decides a request on the view as it is. */
export function answerFleet(parts: FleetParts, request: FleetRequest, now: Instant): FleetOutcome {
  const [, resource = '', ...rest] = request.path.split('/')
  const [item = null] = rest
  if (resource === '') return refused(request.path === '' ? 405 : 404)
  if (rest.length > 1 || item === '') return refused(404)
  switch (resource) {
    case 'units':
      return item === null ? units(parts, request) : unit(parts, request, item, now)
    case 'state':
      return item === null ? states(parts, request) : state(parts, request, item)
    case 'machines':
      return item === null ? machines(parts, request) : refused(404)
    case 'discovery':
      if (item !== null) return refused(404)
      return request.method === 'GET'
        ? answered(discoveryJson)
        : refused(400, 'only HTTP GET supported against this resource')
    default:
      return refused(404)
  }
}

const onlyGet = 'only GET supported against this resource'

function units(parts: FleetParts, request: FleetRequest): FleetOutcome {
  if (request.method !== 'GET') return refused(405, onlyGet)
  const { view, files, isGlobal } = parts
  const toJson = (one: DesiredUnit): string => unitJson(view, files, one, isGlobal(one), request.restarting)
  const kept = request.restarting.size === 0 ? parts.lists : null
  return listed(request, 'units', parts.lists.units(), toJson, kept)
}

function unit(parts: FleetParts, request: FleetRequest, item: string, now: Instant): FleetOutcome {
  const { view, files, isGlobal } = parts
  const { method, contentTypes, body } = request
  if (method === 'PUT') return putUnit(view, files, { name: item, contentTypes, body }, now, parts.policy())
  if (method !== 'GET' && method !== 'DELETE') {
    return refused(405, 'only GET, PUT and DELETE supported against this resource')
  }
  const name = toUnitName(item)
  const found = name === null ? undefined : view.units.get(name)
  if (found === undefined) return refused(404, 'unit does not exist')
  if (method === 'GET') return answered(unitJson(view, files, found, isGlobal(found), request.restarting))
  if (found.instance !== null) return refused(403, ofService(found.name))
  return changed(204, writesFor(view, [{ kind: 'remove', unit: found }], now))
}

function states({ view, files, lists }: FleetParts, request: FleetRequest): FleetOutcome {
  if (request.method !== 'GET') return refused(405, onlyGet)
  const machine = request.query.get('machineID') ?? ''
  const name = request.query.get('unitName') ?? ''
  const all = lists.states()
  const toJson = (one: UnitReport): string => stateJson(view, files, one)
  if (machine === '' && name === '') return listed(request, 'states', all, toJson, lists)
  const wanted = all.filter(
    (one) => (machine === '' || one.machine === machine) && (name === '' || one.name === name),
  )
  return listed(request, 'states', wanted, toJson, null)
}

function state({ view, files, lists }: FleetParts, request: FleetRequest, item: string): FleetOutcome {
  if (request.method !== 'GET') return refused(405, onlyGet)
  const found = lists.states().find((one) => one.name === item)
  return found === undefined
    ? refused(404, 'unit state does not exist')
    : answered(stateJson(view, files, found))
}

function machines({ view, lists }: FleetParts, request: FleetRequest): FleetOutcome {
  if (request.method === 'PATCH') return patchMachines(view, request.body)
  if (request.method !== 'GET') return refused(405, 'only GET and PATCH supported against this resource')
  return listed(request, 'machines', lists.machines(), machineJson, lists)
}

/** One page. `kept` has the texts of pages; null for a list that is filtered. */
function listed<T>(
  { query }: FleetRequest,
  name: ListName,
  all: readonly T[],
  toJson: (item: T) => string,
  kept: FleetLists | null,
): FleetOutcome {
  const token = readPageToken(query.getAll('nextPageToken'))
  if ('problem' in token) return refused(400, token.problem)
  const make = (): string => {
    const { items, next } = pageOf(all, token.page)
    return pageJson(name, items.map(toJson), next)
  }
  return answered(kept === null ? make() : kept.pageText(name, token.page, make))
}
