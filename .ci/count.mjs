// Adds up vitest's JSON reports: `node count.mjs DIR NAME…`. Names what failed and with which words, since the log of a
// suite may be far above or cut off, and prints `N passed, N failed` as the last line.
// Fails when a test failed or was skipped, when a report is missing, or when one holds no test at all.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const [dir, ...names] = process.argv.slice(2)
const reports = names.map((name) => ({ name, ...countsOf(join(dir, `${name}.json`)) }))
for (const { name, failures } of reports) {
  for (const { title, words } of failures) console.log(`\n${name}: FAILED: ${title}\n${words}`)
}
console.log('')
for (const { name, passed, failed, skipped, problem } of reports) {
  console.log(`${name}: ${problem ?? `${passed} passed, ${failed} failed, ${skipped} skipped`}`)
}
const sum = (key) => reports.reduce((total, report) => total + report[key], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') + sum('skipped') > 0 ? 1 : 0

function countsOf(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    const skipped = report.numPendingTests + report.numTodoTests
    const failures = report.testResults.flatMap(failuresOf)
    if (report.numPassedTests === 0)
      return {
        passed: 0,
        failed: Math.max(1, report.numFailedTests),
        skipped,
        failures,
        problem: 'no test passed',
      }
    // A file that cannot even be loaded has no failed test: the suite failed, and counts as one.
    const broken = report.testResults.filter(
      (one) => one.status === 'failed' && one.assertionResults.length === 0,
    ).length
    return { passed: report.numPassedTests, failed: report.numFailedTests + broken, skipped, failures }
  } catch (error) {
    return { passed: 0, failed: 1, skipped: 0, failures: [], problem: `no report (${error.message})` }
  }
}

function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(process.cwd(), name)
  const failed = assertionResults.filter((one) => one.status === 'failed')
  if (status === 'failed' && assertionResults.length === 0)
    return [{ title: file, words: excerptOf(message) }]
  return failed.map((one) => ({
    title: `${file} > ${one.fullName}`,
    words: excerptOf(one.failureMessages.join('\n')),
  }))
}

function excerptOf(text) {
  return text
    .split('\n')
    .slice(0, 25)
    .map((line) => `  ${line.slice(0, 400)}`)
    .join('\n')
}
