// Whether the services that the manifests of one change come after are there, can be waited for so, and in no circle.
import { nearest } from '../lib/nearest.js'
import { type After, type Condition, cycleFrom, type Dependencies } from '../model/after.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { ServiceType } from '../model/service.js'
import { inSource, type ReadManifest } from './manifest.js'
import type { ManifestCode } from './notes.js'

/** A service of the project that the change does not name. */
interface ExistingService {
  readonly type: ServiceType
  readonly after: readonly After[]
}

interface ExistingServices {
  readonly services: ReadonlyMap<string, ExistingService>
  /** Whether there are no others. Without a daemon nobody knows. */
  readonly complete: boolean
}

/** What is wrong with the order of the services of one change, each problem at the entry of `after` that makes it. */
export function checkAfter(
  manifests: readonly ReadManifest[],
  existing: ExistingServices,
): readonly Diagnostic[] {
  const types = new Map<string, ServiceType>([...existing.services].map(([name, { type }]) => [name, type]))
  const dependencies = new Map([...existing.services].map(([name, { after }]) => [name, after]))
  for (const { manifest } of manifests) {
    types.set(manifest.name, manifest.service_type)
    dependencies.set(manifest.name, manifest.after ?? [])
  }
  const ofEntries = manifests.flatMap((read) =>
    (read.manifest.after ?? []).flatMap((after, index) => {
      const problem = problemOf(after, types, existing.complete)
      return problem === null ? [] : [at(read, index, problem)]
    }),
  )
  return [...ofEntries, ...cycles(manifests, dependencies)]
}

interface Problem {
  readonly code: ManifestCode
  readonly message: string
  readonly hint: string
  readonly part: 'service' | 'condition'
}

function at(read: ReadManifest, index: number, { part, ...problem }: Problem): Diagnostic {
  return inSource({ severity: 'error', file: read.file, path: `/after/${index}/${part}`, ...problem }, read)
}

function problemOf(
  { service, condition }: After,
  types: ReadonlyMap<string, ServiceType>,
  complete: boolean,
): Problem | null {
  const type = types.get(service)
  if (type !== undefined) return conditionProblem(service, type, condition)
  if (!complete) return null
  const near = nearest(service, [...types.keys()])
  return {
    code: 'manifest/unknown-service',
    message: `there is no service ${JSON.stringify(service)} in the project`,
    hint: near === undefined ? 'deploy it before, or in the same deploy' : `did you mean ${near}?`,
    part: 'service',
  }
}

function conditionProblem(service: string, type: ServiceType, condition: Condition): Problem | null {
  const fits = condition === 'started' || (condition === 'healthy') === (type === 'continuous')
  if (fits) return null
  const [message, hint] =
    type === 'continuous'
      ? [
          `${service} is continuous and never completes`,
          'write started or healthy, or service_type: event for it',
        ]
      : [`${service} is a service of the type ${type}, whose runs end`, 'write started or completed']
  return { code: 'manifest/conflict', message, hint, part: 'condition' }
}

/** Each circle once, at the first manifest of the change that is in it. */
function cycles(manifests: readonly ReadManifest[], dependencies: Dependencies): readonly Diagnostic[] {
  const known = new Set<string>()
  return manifests.flatMap((read) => {
    const way = cycleFrom(read.manifest.name, dependencies)
    // A manifest that names itself has been told so.
    if (way === null || way.length <= 2 || way.some((name) => known.has(name))) return []
    for (const name of way) known.add(name)
    const index = (read.manifest.after ?? []).findIndex(({ service }) => service === way[1])
    const message = `these services wait for each other in a circle: ${way.join(' after ')}`
    const hint = 'take one of them out of after'
    return [at(read, index, { code: 'manifest/cycle', message, hint, part: 'service' })]
  })
}
