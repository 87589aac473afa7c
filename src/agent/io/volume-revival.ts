// The data of a volume, where a daemon was ended in the middle of putting them there.
import { filesHere, type VolumeFiles } from './volume-files.js'

/** Where data lie that others are just to take the place of. */
export const beforeMark = '.before'

/** Puts back what was there before, where nothing has taken its place. Returns whether there is something now. */
export function reviveData(dir: string, files: VolumeFiles = filesHere): boolean {
  if (files.exists(dir)) return true
  if (!files.exists(`${dir}${beforeMark}`)) return false
  files.rename(`${dir}${beforeMark}`, dir)
  return true
}

const arrivingMark = '.arriving'
const arrivedMark = '.arrived'

/** Notes beside data that they are a copy on its way here by a move: whole or not, nobody has it until that has ended well. */
export function markArriving(files: VolumeFiles, dir: string, move: string): void {
  files.writeText(`${dir}${arrivingMark}`, move)
}

/** The move by which data were on their way here; null for data that are here. */
export function arrivingBy(files: VolumeFiles, dir: string): string | null {
  return files.readText(`${dir}${arrivingMark}`)
}

/** Notes that the copy is what its slot has. That is true of it whatever the store says later, as after a restore of that. */
export function markArrived(files: VolumeFiles, dir: string, move: string): void {
  files.writeText(`${dir}${arrivedMark}`, move)
  files.removeFile(`${dir}${arrivingMark}`)
}

/** The move by which data have come here for good; null for data that did not come by one, or are still on their way. */
export function arrivedBy(files: VolumeFiles, dir: string): string | null {
  return arrivingBy(files, dir) === null ? files.readText(`${dir}${arrivedMark}`) : null
}
