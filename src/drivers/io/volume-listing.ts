// Looks at the volumes that are directories, without holding up what else the daemon does: there may be thousands.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { VolumeInUse, VolumeUser } from '../../agent/driver.js'
import { type DriverKind, driverKinds } from '../../model/driver-kind.js'
import { parseVolumeKey } from '../../model/volume.js'
import { factsOf, readPlaceholder } from '../volume-marks.js'

/** The volumes below a directory, each with the units that have left a mark in it. What is just going is left out. */
export async function listVolumeDirectories(dir: string): Promise<readonly VolumeInUse[]> {
  const found: VolumeInUse[] = []
  for (const project of await namesIn(dir)) {
    for (const service of await namesIn(join(dir, project))) {
      const own = join(dir, project, service)
      const names = await namesIn(own)
      found.push(...(await Promise.all(names.map((name) => lookAt(own, { project, service, name })))).flat())
    }
  }
  return found
}

async function lookAt(
  dir: string,
  { project, service, name }: Readonly<Record<'project' | 'service' | 'name', string>>,
): Promise<readonly VolumeInUse[]> {
  const volume = parseVolumeKey(`${project}.${service}.${name}`)
  if (volume === null) return []
  const facts = await readFacts(join(dir, name, 'volume.json'))
  if (facts === null) return []
  return [{ ...volume, ...facts, users: await usersOfVolume(join(dir, name)) }]
}

/** The units that have left a mark in a volume. */
export async function usersOfVolume(dir: string): Promise<readonly VolumeUser[]> {
  return (await namesIn(join(dir, 'users'))).flatMap(userOf)
}

async function readFacts(file: string): Promise<ReturnType<typeof factsOf>> {
  const text = await orGone(readFile(file, 'utf8'), '')
  try {
    return factsOf(text)
  } catch {
    return null
  }
}

function userOf(mark: string): readonly VolumeUser[] {
  const { driver, unit } = readPlaceholder(mark)
  return isDriverKind(driver) ? [{ driver, name: unit }] : []
}

function isDriverKind(text: string): text is DriverKind {
  return (driverKinds as readonly string[]).includes(text)
}

async function namesIn(dir: string): Promise<readonly string[]> {
  return [...(await orGone(readdir(dir), []))].sort()
}

/** What is not there is none of ours, or just going. Any other failure is told: it hides volumes. */
async function orGone<T>(look: Promise<T>, none: T): Promise<T> {
  try {
    return await look
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' || code === 'ENOTDIR') return none
    throw error
  }
}
