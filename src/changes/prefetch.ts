// Which machines are to have which image before something of a service runs there: those that could take an instance of it.

import { type PullRule, pullRuleOf } from '../agent/driver.js'
import { imagesIn } from '../agent/needed-images.js'
import type { UnitOfVersion } from '../compile/version-unit.js'
import type { Explainer } from '../engine/explain.js'
import type { Instant } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import { hostnameOf } from '../store/hostname.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { parseUnit } from '../unit/parse.js'
import { requirementsOf } from '../unit/requirements.js'
import { lastOf } from '../unit/values.js'
import type { MadeVersion } from './deploy-service.js'
import { noSuchService, type Problem } from './problem.js'
import { answersTo } from './room.js'

/** An image that a machine is to have. */
export interface ImageWanted {
  readonly machine: MachineId
  readonly hostname: string
  readonly image: string
  readonly pull: PullRule
  /** Why nobody asks the machine; null where it is to be asked. */
  readonly skipped: string | null
}

/**
 * What the machines are to fetch for some versions: each that takes an instance, as if those of its service had left. What is
 * away with Docker, or has one that does not answer, is skipped.
 */
export function imagesWanted(
  view: ClusterView,
  explainer: Explainer,
  made: readonly MadeVersion[],
): readonly ImageWanted[] {
  const wanted = new Map<string, ImageWanted>()
  for (const one of made) {
    const images = imagesIn(one.text)
    if (images.length === 0) continue
    for (const [machine, skipped] of machinesFor(view, explainer, one))
      for (const image of images) {
        const known = wanted.get(`${machine} ${image}`)
        const pull = known?.pull === 'always' ? 'always' : pullIn(one.text)
        const hostname = hostnameOf(view, machine)
        wanted.set(`${machine} ${image}`, { machine, hostname, image, pull, skipped })
      }
  }
  return [...wanted.values()]
}

function machinesFor(
  view: ClusterView,
  explainer: Explainer,
  made: MadeVersion,
): ReadonlyMap<MachineId, string | null> {
  const found = new Map<MachineId, string | null>()
  for (const [machine, refusals] of answersTo(view, explainer, made)) {
    if (refusals.length === 0) found.set(machine, null)
    else if (refusals.every(({ kind }) => kind === 'driver-away'))
      found.set(machine, 'its Docker does not answer')
  }
  for (const { id, drivers } of view.knownMachines.values())
    if (!view.machines.has(id) && drivers.includes('docker')) found.set(id, 'it is away')
  return found
}

function pullIn(text: string): PullRule {
  const said = lastOf(parseUnit(text).file, 'Container', 'Pull')
  return (said === null ? null : pullRuleOf(said)) ?? 'missing'
}

/** The current version of a service as instances of now are made of it. Codes: `service/unknown`, `service/cannot-run`. */
export function currentVersion(
  view: ClusterView,
  unitOf: UnitOfVersion,
  project: string,
  name: string,
  now: Instant,
): MadeVersion | Problem {
  const service = view.services.get(serviceKey(project, name))
  if (service === undefined) return noSuchService(view, project, name)
  const version = view.versions.get(service.current)
  const unit = version === undefined ? null : unitOf(version, service.uuid, view.metaOf(project))
  if (version === undefined || unit === null || unit.kind === 'problem') {
    const why = unit?.kind === 'problem' ? unit.message : 'there is no record of its current version'
    return { status: 409, code: 'service/cannot-run', message: `no instance of ${name} can be made: ${why}` }
  }
  const text = unit.text ?? view.files.get(unit.hash) ?? ''
  const needs = requirementsOf(parseUnit(text, version.template).file, version.template)
  return { service, version, needs, madeAt: now, text }
}
