// The program that keeps the proxy of the entry: a bundle of its own, so that it loads nothing that it does not need.
import '../lib/io/no-debugger.js'
import { keepEntry } from '../entry/io/keeper.js'
import { openStartedLog } from './log-words.js'

const { log, rest } = openStartedLog(process.argv.slice(2))
const [dir] = rest
if (dir === undefined) {
  process.stderr.write('usage: entry-keeper DIR (a daemon with --entry starts it)\n')
  process.exitCode = 2
} else {
  process.exitCode = await keepEntry(dir, log)
}
