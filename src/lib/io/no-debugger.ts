// Node opens a debugger on SIGUSR1 unless somebody listens for it: then whoever may send a signal could run anything as us.
// Imported first of all by each program.

process.on('SIGUSR1', () => {})
/** To load what closes it takes a tenth of the time that Node takes to start: most commands have ended before. */
const closeAfterMs = 1000
// One that came before these lines may have opened it. Who asked for it when the program was started keeps it.
const asked = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((flags) =>
  flags.includes('--inspect'),
)
if (!asked) setTimeout(closeDebugger, closeAfterMs).unref()

function closeDebugger(): void {
  // A Node that was built without one has none to close.
  import('node:inspector').then(
    ({ close }) => close(),
    () => {},
  )
}
