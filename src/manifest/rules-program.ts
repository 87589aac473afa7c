// Rules of what an instance runs: what each compute type needs, and what it cannot have.
import { imageProblem } from './image-reference.js'
import { isGiven, placeFor, type Rule, type RuleInput } from './rule.js'
import { childOf, type Tree } from './tree.js'

export const programRules: readonly Rule[] = [
  imageFitsComputeType,
  imageIsReference,
  pullFitsComputeType,
  entrypointFitsComputeType,
  commandIsThere,
  programIsNamed,
  processVariablesAreNames,
]

const withoutImage: Readonly<Record<string, string>> = {
  process: 'a process has no image',
  manta: 'a Manta job has no image',
}

function imageFitsComputeType({ manifest, tree, notes }: RuleInput): void {
  if (tree.dropped?.includes('compute_type')) return
  const { compute_type: type } = manifest
  const image = childOf(tree, 'image')
  const none = withoutImage[type]
  if (none !== undefined && image)
    notes.report('manifest/conflict', image, none, 'leave it out, or use compute_type: docker')
  if (none !== undefined || isGiven(tree, 'image') || !isKnown(type)) return
  const hint =
    type === 'docker'
      ? 'a docker service needs an image; compute_type: process runs a command without one'
      : `a service with compute_type: ${type} needs the name or the uuid of an image`
  notes.report('manifest/missing', placeFor(tree, 'compute_type'), 'image is missing', hint)
}

function isKnown(type: string): boolean {
  return ['docker', 'infrastructure', 'kvm'].includes(type)
}

function imageIsReference({ manifest, tree, notes }: RuleInput): void {
  const image = childOf(tree, 'image')
  if (manifest.compute_type !== 'docker' || image === undefined) return
  const problem = problemOfImage(image)
  if (problem !== null) notes.report('manifest/bad-value', image, problem)
}

function pullFitsComputeType({ manifest, tree, notes }: RuleInput): void {
  const node = childOf(tree, 'pull')
  if (!node || manifest.compute_type === 'docker') return
  const message = `compute_type: ${manifest.compute_type} fetches no image`
  notes.report('manifest/conflict', node, message, 'leave it out')
}

/** Why a text names no image of Docker; null where it does, and for what others refuse. */
export function problemOfImage(node: Tree): string | null {
  if (node.kind !== 'scalar' || node.standIn) return null
  // Blanks are the schema's to refuse.
  const problem = /\s/.test(String(node.value)) ? undefined : imageProblem(String(node.value))
  return problem ? `${JSON.stringify(node.value)} is not a Docker image: ${problem}` : null
}

function entrypointFitsComputeType({ manifest, tree, notes }: RuleInput): void {
  const entrypoint = childOf(tree, 'entrypoint')
  if (!entrypoint || !['infrastructure', 'kvm', 'manta'].includes(manifest.compute_type)) return
  const message = `compute_type: ${manifest.compute_type} has no entrypoint`
  notes.report('manifest/conflict', entrypoint, message, 'use command')
}

function commandIsThere({ manifest, tree, notes }: RuleInput): void {
  const { compute_type: type } = manifest
  if (type !== 'process' && type !== 'manta') return
  const keys = type === 'process' ? (['command', 'entrypoint'] as const) : (['command'] as const)
  if (keys.some((key) => isGiven(tree, key) && manifest[key]?.length !== 0)) return
  const hint =
    type === 'process' ? 'a process needs a command to run' : 'a Manta job needs a command: its exec'
  notes.report('manifest/missing', placeFor(tree, 'compute_type'), 'command is missing', hint)
}

function programIsNamed({ manifest, tree, notes }: RuleInput): void {
  const first = manifest.compute_type === 'process' && !manifest.entrypoint?.length ? 'command' : 'entrypoint'
  const place = childOf(tree, first)
  if (place && manifest[first]?.[0] === '') {
    notes.report('manifest/bad-value', place, `the first word of ${first} is empty, expected a program`)
  }
}

/** Docker takes names such as `discovery.type`; a service of systemd gets only what a shell could name too. */
function processVariablesAreNames({ manifest, tree, notes }: RuleInput): void {
  const environment = childOf(tree, 'environment')
  if (manifest.compute_type !== 'process' || environment?.kind !== 'map') return
  for (const { key } of environment.entries) {
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(String(key.value))) continue
    notes.report(
      'manifest/bad-value',
      key,
      `${JSON.stringify(key.value)} is not a variable name`,
      'use letters, digits and _, and begin with a letter or _',
    )
  }
}
