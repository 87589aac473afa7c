// [Container] of a docker service, with the key names of Podman's Quadlet.

import { labelsOfCns } from '../manifest/cns-labels.js'
import type { ServiceManifest } from '../manifest/schema.js'
import { printInitImage } from '../unit/init-image.js'
import { printPort } from '../unit/ports.js'
import { printTimeSpan } from '../unit/values.js'
import { isFilledLate } from './deferred-environment.js'
import { addContainerLimits } from './limits.js'
import { pointer } from './problem.js'
import { openSection, type Section, type SectionPart } from './section.js'
import { splitUser } from './user.js'
import { addContainerVolumes } from './volumes.js'

export function containerOptions(manifest: ServiceManifest, project: string): SectionPart {
  const container = openSection('Container', manifest.name)
  container.plain('Image', { path: '/image', text: manifest.image ?? '' })
  if (manifest.pull !== undefined) container.value('Pull', manifest.pull)
  addCommand(container, 'Entrypoint', 'entrypoint', manifest.entrypoint)
  addCommand(container, 'Exec', 'command', manifest.command)
  addInitSteps(container, manifest)
  for (const [name, text] of Object.entries(manifest.environment)) {
    if (isFilledLate(text)) continue
    container.word('Environment', { path: pointer('environment', name), text: `${name}=${text}` })
  }
  const { user, group } = splitUser(manifest.user)
  if (user !== null) container.plain('User', { path: '/user', text: user })
  if (group !== null) container.plain('Group', { path: '/user', text: group })
  if (manifest.working_dir !== undefined) {
    container.plain('WorkingDir', { path: '/working_dir', text: manifest.working_dir })
  }
  addContainerLimits(container, manifest)
  addContainerVolumes(container, manifest, project)
  for (const { ip, host, container: port, protocol } of manifest.ports) {
    container.value(
      'PublishPort',
      printPort({ ip: ip ?? null, host: host || null, container: port, protocol }, 'chosen'),
    )
  }
  addEach(container, 'DNS', 'dns', manifest.dns)
  addEach(container, 'DNSSearch', 'dns-search', manifest['dns-search'])
  for (const [key, text] of Object.entries(labelsOfCns(manifest.cns ?? {})))
    container.word('Label', { path: '/cns', text: `${key}=${text}` })
  for (const [key, text] of Object.entries(manifest.labels)) {
    container.word('Label', { path: pointer('labels', key), text: `${key}=${text}` })
  }
  if (manifest.healthchecks?.length === 0) container.value('HealthCmd', 'none')
  container.value('StopTimeout', String(Math.max(-1, manifest.stop.timeout)))
  return container
}

/** Each is one command, which is run in a container of its own before the one of the unit is started. */
function addInitSteps(
  container: Section,
  { init_steps: steps = [], init_timeout: timeout }: ServiceManifest,
): void {
  steps.forEach(({ command, image }, index) => {
    const words = command.map((text, n) => ({ path: pointer('init_steps', index, 'command', n), text }))
    container.words('ExecStartPre', words)
    if (image === undefined) return
    const path = pointer('init_steps', index, 'image')
    container.plain('InitImage', { path, text: printInitImage({ step: index + 1, image }) })
  })
  if (timeout !== undefined) container.value('TimeoutStartSec', printTimeSpan(timeout * 1000))
}

function addCommand(
  container: Section,
  option: string,
  key: string,
  words: readonly string[] | undefined,
): void {
  if (words === undefined) return
  container.words(
    option,
    words.map((text, index) => ({ path: pointer(key, index), text })),
  )
}

function addEach(container: Section, option: string, key: string, texts: readonly string[]): void {
  for (const [index, text] of texts.entries()) container.plain(option, { path: pointer(key, index), text })
}
