// The data of a volume, where a daemon was ended between the two steps with which others take their place.
import { existsSync, renameSync } from 'node:fs'

/** Where data lie that others are just to take the place of. */
export const beforeMark = '.before'

/** Puts back what was there before, where nothing has taken its place. Returns whether there is something now. */
export function reviveData(dir: string): boolean {
  if (existsSync(dir)) return true
  if (!existsSync(`${dir}${beforeMark}`)) return false
  renameSync(`${dir}${beforeMark}`, dir)
  return true
}
