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
const arrivedMark = '.arrived'

/** Notes beside data that they are a copy on its way here by a move: whole or not, nobody has it until that has ended well. */
export function markArriving(dir: string, move: string): void {
  writeFileSync(`${dir}${arrivingMark}`, move, { mode: 0o600 })
}

/** The move by which data were on their way here; null for data that are here. */
export function arrivingBy(dir: string): string | null {
  return textOf(`${dir}${arrivingMark}`)
}

/** Notes that the copy is what its slot has. That is true of it whatever the store says later, as after a restore of that. */
export function markArrived(dir: string, move: string): void {
  writeFileSync(`${dir}${arrivedMark}`, move, { mode: 0o600 })
  rmSync(`${dir}${arrivingMark}`, { force: true })
}

/** The move by which data have come here for good; null for data that did not come by one, or are still on their way. */
export function arrivedBy(dir: string): string | null {
  return arrivingBy(dir) === null ? textOf(`${dir}${arrivedMark}`) : null
}

function textOf(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
