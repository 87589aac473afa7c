// The data of a volume, where a daemon was ended in the middle of putting them there.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Where data lie that others are just to take the place of. */
export const beforeMark = '.before'

/** Puts back what was there before, where nothing has taken its place. Returns whether there is something now. */
export function reviveData(dir: string): boolean {
  if (existsSync(dir)) return true
  if (!existsSync(`${dir}${beforeMark}`)) return false
  renameSync(`${dir}${beforeMark}`, dir)
  return true
}

const arrivingMark = '.arriving'

/** Notes beside data that they are a copy on its way here by a move: whole or not, nobody has it until that has ended well. */
export function markArriving(dir: string, move: string): void {
  writeFileSync(`${dir}${arrivingMark}`, move, { mode: 0o600 })
}

/** The move by which data were on their way here; null for data that are here. */
export function arrivingBy(dir: string): string | null {
  return existsSync(`${dir}${arrivingMark}`) ? readFileSync(`${dir}${arrivingMark}`, 'utf8') : null
}

export function markArrived(dir: string): void {
  rmSync(`${dir}${arrivingMark}`, { force: true })
}
