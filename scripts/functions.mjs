// `node scripts/functions.mjs`: how long the functions of src are (median, p90, p99), and the longest of them. With
// `--check` it fails for a function above 80 lines, and where more than one in a hundred is above 40.
import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '..')
const most = 80
const mostOfNearlyAll = 40

/** Each function with a body: where it is, its name, and its lines from the first to the last. */
function functionsOf(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found = []
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line
      const from = lineOf(node.getStart())
      const name = node.name?.getText() ?? node.parent?.name?.getText?.() ?? '(anonymous)'
      found.push({ place: `${relative(root, file)}:${from + 1}`, name, lines: lineOf(node.end) - from + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const files = ts.sys.readDirectory(join(root, 'src'), ['.ts']).filter((file) => !file.endsWith('.d.ts'))
const functions = files.flatMap(functionsOf).sort((a, b) => a.lines - b.lines)
const percentile = (share) => functions[Math.ceil(functions.length * share) - 1].lines
const describe = ({ place, name, lines }) => `${lines} lines: ${name} (${place})`

if (!process.argv.includes('--check')) {
  console.log(
    `${functions.length} functions: ${[0.5, 0.9, 0.99].map(percentile).join(' / ')} lines (median, p90, p99)`,
  )
  for (const long of functions.slice(-30)) console.log(describe(long))
} else {
  const tooLong = functions.filter(({ lines }) => lines > most)
  for (const long of tooLong) console.error(`more than ${most} lines: ${describe(long)}`)
  const p99 = percentile(0.99)
  if (p99 > mostOfNearlyAll)
    console.error(`one function in a hundred has ${p99} lines or more: at most ${mostOfNearlyAll}`)
  if (tooLong.length > 0 || p99 > mostOfNearlyAll) process.exitCode = 1
}
