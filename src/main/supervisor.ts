// The program that supervises processes: a bundle of its own, so that it loads nothing that it does not need.
import '../lib/io/no-debugger.js'
import { superviseMain } from '../supervisor/io/supervisor-main.js'
import { openStartedLog } from './log-words.js'

const { log, rest } = openStartedLog(process.argv.slice(2))
const [dir] = rest
if (dir === undefined) {
  process.stderr.write('usage: supervisor DIR (the process driver starts it)\n')
  process.exitCode = 2
} else {
  process.exitCode = await superviseMain({ dir, log })
}
