// Rules of files, and of the variables that say where they are.
import { filesAtMost, fileVariables, isInside } from '../model/arriving-file.js'
import { itemOf, lineOf, type Rule, type RuleInput, textsOfProgram } from './rule.js'
import { childOf } from './tree.js'
import { placeholderEnd, placeholderStart } from './variables.js'

export const fileRules: readonly Rule[] = [
  pathsAreApart,
  pathsAreOurs,
  ownersAreKnown,
  filesAreSmall,
  computeTypeHasFiles,
  directoriesAreThere,
  runsAreNotRestarted,
]

/** A file that lies in another or in a volume could not be put there, or would stay there. */
function pathsAreApart({ manifest, tree, source, notes }: RuleInput): void {
  // What is missing or of another form, the schema refuses.
  const paths = manifest.files.map(({ path }: { path?: string }) => path)
  paths.forEach((path, index) => {
    if (path === undefined) return
    const node = itemOf(tree, 'files', index)
    const refuse = (message: string, hint: string): void =>
      notes.report('manifest/conflict', childOf(node, 'path') ?? node, message, hint)
    const before = paths.slice(0, index)
    const other = before.findIndex((one) => one !== undefined && (isInside(path, one) || isInside(one, path)))
    if (other !== -1) {
      const line = lineOf(source, itemOf(tree, 'files', other))
      refuse(`${path} and ${before[other]}, on ${line}, cannot both be files`, 'keep one of them')
    }
    for (const volume of manifest.volumes.filter(({ path: at }: { path?: string }) => at !== undefined)) {
      if (isInside(volume.path, path)) refuse(`there is a volume at ${volume.path}`, 'give another path')
      else if (volume.tmpfs !== true && isInside(path, volume.path)) {
        const message = `${path} lies in the volume at ${volume.path}, which would keep an empty file of that name`
        refuse(message, 'put it beside the volume')
      }
    }
  })
}

function pathsAreOurs({ manifest, tree, notes }: RuleInput): void {
  manifest.files.forEach(({ path = '' }: { path?: string }, index) => {
    const kernels = ['/proc', '/sys', '/dev'].find((directory) => isInside(path, directory))
    if (kernels === undefined && path !== '/run/secrets' && path !== '/run') return
    const node = itemOf(tree, 'files', index)
    const message = kernels === undefined ? `${path} is a directory` : `${kernels} belongs to the kernel`
    notes.report('manifest/conflict', childOf(node, 'path') ?? node, message, 'give another path')
  })
}

/** Which users a container has, its image says. */
function ownersAreKnown({ manifest, tree, notes }: RuleInput): void {
  if (manifest.compute_type !== 'docker') return
  manifest.files.forEach(({ owner }, index) => {
    if (owner === undefined || /^\d+(:\d+)?$/.test(owner)) return
    const node = itemOf(tree, 'files', index)
    const message = `the user ${owner} is defined in the image of the container, which is not known here`
    notes.report(
      'manifest/conflict',
      childOf(node, 'owner') ?? node,
      message,
      'give numbers, such as 999:999',
    )
  })
}

function filesAreSmall({ manifest, tree, notes }: RuleInput): void {
  let size = 0
  for (const [index, { template = '' }] of manifest.files.entries() as Iterable<
    [number, { template?: string }]
  >) {
    size += template.length
    if (size <= filesAtMost) continue
    const node = itemOf(tree, 'files', index)
    const message = `the files of a service may have ${filesAtMost} characters in all, and up to this one they have ${size}`
    notes.report('manifest/too-large', node, message, 'put large files into an image or a volume')
    return
  }
}

function computeTypeHasFiles({ manifest, tree, notes }: RuleInput): void {
  const node = childOf(tree, 'files')
  if (!node || manifest.files.length === 0) return
  if (!['infrastructure', 'kvm', 'manta'].includes(manifest.compute_type)) return
  const message = `compute_type: ${manifest.compute_type} has no files`
  notes.report('manifest/conflict', node, message, 'leave files and secrets out')
}

/** The directories are there where a service has files. */
function directoriesAreThere({ manifest, tree, notes }: RuleInput): void {
  if (manifest.files.length > 0) return
  for (const place of textsOfProgram(tree)) {
    if (place.kind !== 'scalar') continue
    for (const variable of fileVariables.keys()) {
      if (!String(place.value).includes(`${placeholderStart}${variable}${placeholderEnd}`)) continue
      const message = `the service has no files, and so no ${variable}`
      notes.report('template/unknown-variable', place, message, 'files lists the files of a service')
    }
  }
}

/** A run is begun once: what it has done by then would be done again. */
function runsAreNotRestarted({ manifest, tree, notes }: RuleInput): void {
  if (manifest.service_type === 'continuous' || tree.dropped?.includes('service_type')) return
  manifest.files.forEach(({ on_change }, index) => {
    if (on_change?.restart === undefined) return
    const node = itemOf(tree, 'files', index)
    const message = `a service of type ${manifest.service_type} runs once for each start, and is not restarted`
    const hint = 'the next run gets the values of that time: leave on_change out'
    notes.report('manifest/conflict', childOf(node, 'on_change') ?? node, message, hint)
  })
}
