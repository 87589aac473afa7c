// Adds up vitest's JSON reports: `node count.mjs DIR NAME…`. Names what failed and with which words, since the log of a
// suite may be far above or cut off, and prints `N passed, N failed` as the last line.
// Fails when a test failed or was skipped, when a report is missing, or when one holds no test at all. What failed, and passed when its
// file ran once more, alone (`NAME-alone.json`), is named with its words and counts as passed.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const [dir, ...names] = process.argv.slice(2)
const reports = names.map((name) => ({ name, ...afterAll(name) }))
for (const { name, failures, unsteady } of reports) {
  for (const { title, words } of failures) console.log(`\n${name}: FAILED: ${title}\n${words}`)
  for (const { title, words } of unsteady)
    console.log(`\n${name}: FAILED BESIDE OTHERS, passed alone; find out why: ${title}\n${words}`)
}
console.log('')
for (const { name, passed, failed, skipped, problem } of reports) {
  console.log(`${name}: ${problem ?? `${passed} passed, ${failed} failed, ${skipped} skipped`}`)
}
const sum = (key) => reports.reduce((total, report) => total + report[key], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') + sum('skipped') > 0 ? 1 : 0

function afterAll(name) {
  const first = countsOf(join(dir, `${name}.json`))
  const file = join(dir, `${name}-alone.json`)
  if (!existsSync(file)) return { ...first, unsteady: [] }
  const { passed, failed, skipped, failures, problem } = countsOf(file)
  if (problem !== undefined || skipped > 0) return { ...first, unsteady: [] }
  const still = new Set(failures.map(({ title }) => title))
  // One that fails there alone is told of with the others.
  const unsteady = passed === 0 ? [] : first.failures.filter(({ title }) => !still.has(title))
  return { ...first, passed: first.passed + unsteady.length, failed, failures, unsteady }
}

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
