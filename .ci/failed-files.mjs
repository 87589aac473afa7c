// Prints the files with failed tests of a report of vitest, one a line: `node failed-files.mjs REPORT`. Fails, and prints nothing, when
// there are none, and when there are more than three, which is no accident.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const files = testResults
  .filter(({ status, assertionResults: tests }) => status === 'failed' || tests.some(isFailed))
  .map(({ name }) => relative(process.cwd(), name))
if (files.length === 0 || files.length > 3) process.exitCode = 1
else console.log(files.join('\n'))

function isFailed({ status }) {
  return status === 'failed'
}
