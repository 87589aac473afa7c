// SIGHUP before a program has come to listen for it. A daemon that is told to read its configuration anew while it still starts
// would end of it. Imported first of all by the program, which says soon what it is.

interface Hangups {
  heard: boolean
  readonly note: () => void
}

// The script that is run first and the modules that it loads have this file once each, and speak of the same signal.
const shared = globalThis as { [key: symbol]: Hangups | undefined }
const key = Symbol.for('mariposa.hangups')
// Of the words of other commands one may be the same: whoever is no daemon says so with `endOnHangup`. Most never listen at all,
// so that what `nohup` has set stays as it is.
const mayBeDaemon = process.argv.slice(2).some((word) => word === 'daemon' || word === 'up')
const hangups = shared[key] ?? listen(mayBeDaemon)
shared[key] = hangups

function listen(now: boolean): Hangups {
  const made: Hangups = {
    heard: false,
    note: () => {
      made.heard = true
    },
  }
  if (now) process.on('SIGHUP', made.note)
  return made
}

/** Calls on SIGHUP from now on, and at once where it has come already. */
export function onHangup(listener: () => void): void {
  process.on('SIGHUP', listener)
  process.off('SIGHUP', hangups.note)
  if (hangups.heard) listener()
}

/** Ends this process on SIGHUP from now on, and at once where it has come already. */
export function endOnHangup(): void {
  if (!process.listeners('SIGHUP').includes(hangups.note)) return
  process.off('SIGHUP', hangups.note)
  if (hangups.heard) process.kill(process.pid, 'SIGHUP')
}
