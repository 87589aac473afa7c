// What no schema can say: rules between keys of one service.

import type { Notes } from './notes.js'
import type { ServiceManifest } from './schema.js'
import { childOf, type MapNode, type Tree } from './tree.js'

/** A rule looks at a canonical manifest, its values not yet checked for range, and at the tree for places and for what was given. */
type Rule = (manifest: ServiceManifest, tree: MapNode, notes: Notes) => void

const rules: readonly Rule[] = [
  imageFitsComputeType,
  processHasProgram,
  programIsNamed,
  processVariablesAreNames,
  portsAreDistinct,
  restartsAreCountedOnFailure,
  timeoutsFitPolls,
]

/** Reports every rule that a manifest breaks. */
export function checkRules(manifest: ServiceManifest, tree: MapNode, notes: Notes): void {
  for (const rule of rules) rule(manifest, tree, notes)
}

function imageFitsComputeType(manifest: ServiceManifest, tree: MapNode, notes: Notes): void {
  if (tree.dropped?.includes('compute_type')) return
  const image = childOf(tree, 'image')
  if (manifest.compute_type === 'process' && image) {
    notes.report(
      'manifest/conflict',
      image,
      'a process has no image',
      'leave it out, or use compute_type: docker',
    )
  }
  if (manifest.compute_type === 'docker' && !isGiven(tree, 'image')) {
    const place = childOf(tree, 'compute_type') ?? startOf(tree)
    notes.report(
      'manifest/missing',
      place,
      'image is missing',
      'a docker service needs an image; compute_type: process runs a command without one',
    )
  }
}

function processHasProgram(manifest: ServiceManifest, tree: MapNode, notes: Notes): void {
  if (manifest.compute_type !== 'process' || isGiven(tree, 'command') || isGiven(tree, 'entrypoint')) return
  const place = childOf(tree, 'compute_type') ?? startOf(tree)
  notes.report('manifest/missing', place, 'command is missing', 'a process needs a command to run')
}

function programIsNamed(manifest: ServiceManifest, tree: MapNode, notes: Notes): void {
  const first = manifest.compute_type === 'process' && !manifest.entrypoint ? 'command' : 'entrypoint'
  const place = childOf(tree, first)
  if (place && manifest[first]?.[0] === '') {
    notes.report('manifest/bad-value', place, `the first word of ${first} is empty, expected a program`)
  }
}

/** Docker takes names such as `discovery.type`; a service of systemd gets only what a shell could name too. */
function processVariablesAreNames(manifest: ServiceManifest, tree: MapNode, notes: Notes): void {
  const environment = childOf(tree, 'environment')
  if (manifest.compute_type !== 'process' || environment?.kind !== 'map') return
  for (const { key } of environment.entries) {
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(String(key.value))) continue
    notes.report(
      'manifest/bad-value',
      key,
      `${JSON.stringify(key.value)} is no name of a variable`,
      'use letters, digits and _, and begin with a letter or _',
    )
  }
}

function portsAreDistinct(manifest: ServiceManifest, tree: MapNode, notes: Notes): void {
  const seen = new Set<string>()
  const nodes = childOf(tree, 'ports')
  manifest.ports.forEach(({ ip, host, container, protocol }, index) => {
    const fixed = host !== undefined && host !== 0
    const key = fixed ? `host ${ip ?? '*'} ${host}/${protocol}` : `port ${ip ?? '*'} ${container}/${protocol}`
    const node: Tree = (nodes?.kind === 'list' ? nodes.items[index] : undefined) ?? tree
    if (seen.has(key)) {
      const port = fixed ? `host port ${host}/${protocol}` : `port ${container}/${protocol}`
      notes.report('manifest/duplicate-port', node, `${port} is given twice`, 'keep one of them')
    }
    seen.add(key)
  })
}

function restartsAreCountedOnFailure({ restart }: ServiceManifest, tree: MapNode, notes: Notes): void {
  if (restart.max === undefined || restart.policy === 'on-failure') return
  const place = childOf(tree, 'restart') ?? tree
  notes.report(
    'manifest/bad-value',
    place,
    `max goes with on-failure, not with ${restart.policy}`,
    'leave it out',
  )
}

function timeoutsFitPolls(manifest: ServiceManifest, tree: MapNode, notes: Notes): void {
  const nodes = childOf(tree, 'healthchecks')
  manifest.healthchecks.forEach(({ poll, timeout }, index) => {
    if (timeout <= poll || poll <= 0) return
    const node = nodes?.kind === 'list' ? nodes.items[index] : undefined
    const place = (node && childOf(node, 'timeout')) ?? node ?? tree
    notes.report(
      'manifest/timeout-above-poll',
      place,
      `the timeout of ${timeout} s is longer than the poll of ${poll} s`,
      'checks do not overlap: make poll longer or timeout shorter',
    )
  })
}

/** Whether the author wrote a key, be it readable or not. */
function isGiven(tree: MapNode, key: string): boolean {
  return childOf(tree, key) !== undefined || (tree.dropped ?? []).includes(key)
}

function startOf(tree: MapNode): Tree {
  return tree.entries[0]?.key ?? tree
}
