// SIGHUP before a program has come to listen for it. A daemon that is told to read its configuration anew while it still starts
// would end of it. Imported first of all by the program, which says soon what it is.

let heard = false
const note = (): void => {
  heard = true
}
// Of the words of other commands one may be the same: whoever is no daemon says so with `endOnHangup`. Most never listen at all,
// so that what `nohup` has set stays as it is.
if (process.argv.slice(2).some((word) => word === 'daemon' || word === 'up')) process.on('SIGHUP', note)

/** Calls on SIGHUP from now on, and at once where it has come already. */
export function onHangup(listener: () => void): void {
  process.on('SIGHUP', listener)
  process.off('SIGHUP', note)
  if (heard) listener()
}

/** Ends this process on SIGHUP from now on, and at once where it has come already. */
export function endOnHangup(): void {
  if (!process.listeners('SIGHUP').includes(note)) return
  process.off('SIGHUP', note)
  if (heard) process.kill(process.pid, 'SIGHUP')
}
