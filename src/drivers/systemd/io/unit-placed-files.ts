// The files of a unit of systemd: written, and where its namespace shows them.
import { statSync } from 'node:fs'
import type { UnitToRun } from '../../../agent/driver.js'
import { placeOfFile, secretsDirectory } from '../../../model/arriving-file.js'
import { DriverError } from '../../../model/driver-error.js'
import type { UnitName } from '../../../model/unit.js'
import { ownersOfFiles } from '../../io/file-owners.js'
import type { OwnedFile, PlacedFiles } from '../../io/placed-files.js'
import type { FileBinding } from '../unit-text.js'
import { ownerOf } from './volume-owner.js'

/**
 * Writes the files of a unit. systemd makes what a mount is to cover where that is missing, on the machine itself, so that
 * a file is only shown where there is one. Throws DriverError `systemd/file-place`, and those of the files.
 */
export function placeFiles(unit: UnitToRun, placed: PlacedFiles, root: string): readonly FileBinding[] {
  const { name, files = [] } = unit
  for (const { path } of files) if (placeOfFile(path).place === 'path') refuseMissing(path, root)
  placed.write(name, ownedFiles(unit, root))
  return bindingsOf(
    name,
    files.map(({ path }) => path),
    placed,
  )
}

/** The files of a unit with their owners. Throws DriverError of the files. */
export function ownedFiles(unit: UnitToRun, root: string): readonly OwnedFile[] {
  const { files = [] } = unit
  const runner = files.length === 0 ? null : ownerOf(unit, root)
  return ownersOfFiles(files, runner ?? { uid: 0, gid: 0 }, root)
}

function bindingsOf(name: UnitName, paths: readonly string[], placed: PlacedFiles): readonly FileBinding[] {
  if (paths.length === 0) return []
  const { own, secrets } = placed.at(name)
  const places = paths.map((path) => placeOfFile(path).place)
  return [
    ...(places.includes('own') ? [{ source: own, path: own }] : []),
    ...(places.includes('secrets') ? [{ source: secrets, path: secretsDirectory }] : []),
    ...paths
      .filter((path) => placeOfFile(path).place === 'path')
      .map((path) => ({ source: placed.pathOf(name, path), path })),
  ]
}

function refuseMissing(path: string, root: string): void {
  const seen = statSync(`${root}${path}`, { throwIfNoEntry: false })
  if (seen?.isFile() === true) return
  const what = seen === undefined ? 'there is no file' : 'the path there is not a file'
  const message = `a file can only be shown at ${path} if this machine has one there, but ${what}: make an empty one, or give a relative path and name it by {{ .files.dir }}`
  throw new DriverError('systemd/file-place', message, { permanent: true })
}
