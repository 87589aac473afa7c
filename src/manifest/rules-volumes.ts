// Rules of volumes, and of the variables that say where they are.
import { isInObjectStore } from '../model/backup.js'
import { volumeOfTemplate, volumeVariable } from '../model/volume.js'
import { itemOf, lineOf, type Rule, type RuleInput, textsOfProgram } from './rule.js'
import { scheduleIsReadable } from './rules-life.js'
import type { ManifestVolume } from './schema.js'
import { childOf, type Tree } from './tree.js'
import { placeholderEnd, placeholderStart } from './variables.js'

export const volumeRules: readonly Rule[] = [
  sourcesAreOne,
  sizesAndScopesFit,
  backupsFit,
  volumesAreUnique,
  computeTypeHasVolumes,
  volumeVariablesAreKnown,
]

function sourcesAreOne({ manifest, tree, notes }: RuleInput): void {
  manifest.volumes.forEach((volume, index) => {
    const node = itemOf(tree, 'volumes', index)
    const dropped = node.kind === 'map' ? (node.dropped ?? []) : []
    const given = (['name', 'host', 'tmpfs'] as const).filter(
      (key) => volume[key] !== undefined || dropped.includes(key),
    )
    const [, second] = given
    if (given.length === 0) {
      const hint = 'give name for a volume, host for a path of the machine, or tmpfs: true'
      notes.report('manifest/missing', node, 'this volume has neither a name nor a host', hint)
    } else if (second !== undefined) {
      const message = `a volume is one of ${given.join(' and ')}`
      notes.report('manifest/conflict', childOf(node, second) ?? node, message, 'keep one of them')
    }
  })
}

function sizesAndScopesFit({ manifest, tree, notes }: RuleInput): void {
  manifest.volumes.forEach(({ name, host, tmpfs, readonly, scope, size, on_lost }, index) => {
    const node = itemOf(tree, 'volumes', index)
    const refuse = (key: string, message: string): void =>
      notes.report('manifest/conflict', childOf(node, key) ?? node, message, `leave ${key} out`)
    if (tmpfs === true && readonly) refuse('readonly', 'memory that cannot be written to stays empty')
    if (name === undefined && scope !== undefined) refuse('scope', 'only a named volume has a scope')
    if (host !== undefined && size !== undefined) refuse('size', 'a path of the machine has no size')
    if (on_lost !== undefined && scope !== 'instance')
      refuse('on_lost', 'only a named volume of the scope instance belongs to one slot')
    if (scope === 'instance' && manifest.service_type !== 'continuous') {
      const message = `each run of a ${manifest.service_type} service is a new instance, which has no slot for the volume ${name}`
      const hint = `write {name: ${name}, path: …, scope: service}, which the runs on a machine share`
      notes.report('manifest/conflict', childOf(node, 'scope') ?? node, message, hint)
    }
  })
}

function backupsFit({ manifest, tree, ...input }: RuleInput): void {
  manifest.volumes.forEach(({ name, scope, backup }, index) => {
    if (backup === undefined) return
    const volume = itemOf(tree, 'volumes', index)
    const node = childOf(volume, 'backup') ?? volume
    const refuse = (message: string, hint: string): void =>
      input.notes.report('manifest/conflict', node, message, hint)
    if (name === undefined) refuse('only a named volume is backed up', 'leave backup out')
    else if (manifest.service_type !== 'continuous')
      refuse(
        `only volumes of continuous services are backed up by schedule: instances of a ${manifest.service_type} service end by themselves`,
        'let the program do it, or use volume backup',
      )
    else if (scope === 'service' && backup.consistency === 'stopped')
      refuse(
        'instances that share a volume are not stopped for a backup',
        'leave consistency out, or write scope: instance',
      )
    else backupIsWhole(backup, node, input)
  })
}

function backupIsWhole(
  backup: NonNullable<ManifestVolume['backup']>,
  node: Tree,
  { source, notes }: Pick<RuleInput, 'source' | 'notes'>,
): void {
  const { schedule, to, before_backup: before } = backup
  const given = (key: string): boolean =>
    childOf(node, key) !== undefined || (node.kind === 'map' && (node.dropped ?? []).includes(key))
  const missing = (message: string, hint: string): void =>
    notes.report('manifest/missing', node, message, hint)
  const place = childOf(node, 'schedule')
  if (place !== undefined) scheduleIsReadable(schedule, place, { source, notes })
  if (given('schedule') && !given('to'))
    missing(
      'scheduled backups need a target',
      'name a directory of the machine or a store: to: /srv/backups, to: s3://BUCKET/PREFIX',
    )
  const alone = (['to', 'credentials', 'keep', 'consistency'] as const).find(
    (key) => given(key) && !given('schedule'),
  )
  if (alone !== undefined)
    missing(`${alone} needs a schedule, and there is none`, 'add schedule: "30 2 * * *", or leave it out')
  if (given('credentials') && to !== undefined && !isInObjectStore(to))
    notes.report(
      'manifest/conflict',
      childOf(node, 'credentials') ?? node,
      'a directory needs no credentials',
      'leave credentials out, or write to: s3://BUCKET/PREFIX',
    )
  if (
    schedule === undefined &&
    to === undefined &&
    before === undefined &&
    alone === undefined &&
    !given('schedule') &&
    !given('before_backup')
  )
    missing('backup is empty', 'add schedule and to, or before_backup')
}

/** Names as their variables say them, so that no two volumes share one. */
function volumesAreUnique({ manifest, tree, source, notes }: RuleInput): void {
  const names = new Map<string, Tree>()
  const paths = new Map<string, Tree>()
  manifest.volumes.forEach(({ name, path }, index) => {
    const node = itemOf(tree, 'volumes', index)
    const byName = name === undefined ? undefined : names.get(volumeVariable(name))
    const byPath = paths.get(path)
    if (byName) {
      const message = `the volume ${name} is already mounted, or one whose variable is ${volumeVariable(name ?? '')} too, on ${lineOf(source, byName)}`
      notes.report('manifest/conflict', childOf(node, 'name') ?? node, message, 'keep one of them')
    } else if (name !== undefined) names.set(volumeVariable(name), node)
    if (byPath) {
      const message = `there is already a volume at ${path}, on ${lineOf(source, byPath)}`
      notes.report('manifest/conflict', childOf(node, 'path') ?? node, message, 'keep one of them')
    } else paths.set(path, node)
  })
}

function computeTypeHasVolumes({ manifest, tree, notes }: RuleInput): void {
  const node = childOf(tree, 'volumes')
  if (!node || manifest.volumes.length === 0) return
  if (!['infrastructure', 'kvm', 'manta'].includes(manifest.compute_type)) return
  const message = `compute_type: ${manifest.compute_type} has no volumes`
  notes.report('manifest/conflict', node, message, 'leave volumes out')
}

const mark = new RegExp(`${placeholderStart}([^${placeholderEnd}]*)${placeholderEnd}`, 'g')

function volumeVariablesAreKnown({ manifest, tree, notes }: RuleInput): void {
  const known = manifest.volumes.flatMap(({ name }) => name ?? [])
  for (const place of textsOfProgram(tree)) {
    if (place.kind !== 'scalar' || !String(place.value).includes(placeholderStart)) continue
    for (const [, variable = ''] of String(place.value).matchAll(mark)) {
      const name = volumeOfTemplate(variable)
      if (name === null || known.includes(name)) continue
      const hint =
        known.length === 0 ? 'volumes lists the volumes of a service' : `there are ${known.join(', ')}`
      const message = `the service has no volume ${JSON.stringify(name)}`
      notes.report('template/unknown-variable', place, message, hint)
    }
  }
}
