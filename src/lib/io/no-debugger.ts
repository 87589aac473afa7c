// Node opens a debugger on SIGUSR1 unless somebody listens for it: then whoever may send a signal could run anything as us.
// Imported first of all by each program.
import { close } from 'node:inspector'

process.on('SIGUSR1', () => {})
// One that came before this line may have opened it. Who asked for it when the program was started keeps it.
const asked = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((flags) =>
  flags.includes('--inspect'),
)
if (!asked) close()
