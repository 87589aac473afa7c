// Files of a unit in its container.

import type { FilledFile, UnitToRun } from '../../agent/driver.js'
import { inNamespace, placeOfFile } from '../../model/arriving-file.js'
import { lastOf } from '../../unit/values.js'
import type { BindMount, CreateRequest } from './api.js'

/** Where the files of a unit are on this machine. */
interface FilePaths {
  readonly own: string
  readonly secrets: string
  readonly of: (path: string) => string
}

/** The request, with the files of the unit mounted so that nobody in the container can write to them. */
export function withFiles(
  request: CreateRequest,
  files: readonly FilledFile[],
  paths: FilePaths,
): CreateRequest {
  if (files.length === 0) return request
  const places = files.map(({ path }) => placeOfFile(path).place)
  const mounts = [
    ...(places.includes('own') ? [mountOf(paths.own, inNamespace.own)] : []),
    ...(places.includes('secrets') ? [mountOf(paths.secrets, inNamespace.secrets)] : []),
    ...files
      .filter(({ path }) => placeOfFile(path).place === 'path')
      .map(({ path }) => mountOf(paths.of(path), path)),
  ]
  const { HostConfig } = request
  return { ...request, HostConfig: { ...HostConfig, Mounts: [...(HostConfig.Mounts ?? []), ...mounts] } }
}

function mountOf(source: string, target: string): BindMount {
  return { Type: 'bind', Source: source, Target: target, ReadOnly: true }
}

/**
 * As whom a container runs, as far as its unit says so in numbers; null where only its image knows. What nobody else is let
 * read, a user that is not known could not read either: then everybody in the container can.
 */
export function runnerOf({ file }: UnitToRun): { readonly uid: number; readonly gid: number } | null {
  const [user = '', ofUser] = (lastOf(file, 'Container', 'User') ?? '').split(':')
  const group = lastOf(file, 'Container', 'Group') ?? ofUser ?? '0'
  if (!/^\d+$/.test(user) || !/^\d+$/.test(group)) return null
  return { uid: Number(user), gid: Number(group) }
}

/** The files with the permissions that they get where nothing says them. */
export function readableFiles(files: readonly FilledFile[], isRunnerKnown: boolean): readonly FilledFile[] {
  if (isRunnerKnown) return files
  return files.map((file) => ({ ...file, mode: file.mode ?? (file.owner === null ? '0444' : null) }))
}
