// `npm run bench`: runs the measurements of this folder and prints them as one table.
// `--only store,cli` runs some of them; `--write` also puts the table into bench/RESULTS.md.
//
// A measurement is a file NAME.mjs that exports `run()`, which resolves to rows
// `{ name, value, unit, floor?, ratio? }`: `floor` is the same work done as directly as it can be (same unit),
// `ratio` how our value compares to it, measured in the same run.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const known = [
  'cli',
  'manifest',
  'store',
  'scheduler',
  'deploy',
  'process',
  'docker',
  'rollout',
  'neighbours',
  'systemd',
  'cluster',
  'cluster-machines',
  'memory',
  'writes',
  'floors',
  'health',
  'checks-under-load',
  'loops',
  'service-pass',
  'turns',
  'entry',
  'entry-kills',
  'silence',
  'dns',
  'dns-follow',
]

const { values } = parseArgs({
  options: { only: { type: 'string' }, write: { type: 'boolean', default: false } },
})
const wanted = values.only === undefined ? known : values.only.split(',')
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`no such measurement: ${unknown.join(', ')} (there are ${known.join(', ')})`)
  process.exit(2)
}

const rows = []
const failures = []
for (const name of wanted.filter(exists)) {
  console.error(`measuring ${name} …`)
  try {
    const { run } = await import(`./${name}.mjs`)
    rows.push(...(await run()).map((row) => ({ bench: name, ...row })))
  } catch (error) {
    failures.push(name)
    console.error(`${name} failed:`, error)
  }
}

const table = render(rows)
console.log(table)
if (values.write) writeFileSync(join(import.meta.dirname, 'RESULTS.md'), `${heading()}\n${table}\n`)
process.exit(failures.length > 0 ? 1 : 0)

function exists(name) {
  return existsSync(join(import.meta.dirname, `${name}.mjs`))
}

function heading() {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'))
  const date = new Date().toISOString().slice(0, 10)
  return `# Measurements

Mariposa ${version}, ${date}, ${availableParallelism()} CPUs, Node ${process.version}. Made by \`npm run bench -- --write\`.

\`floor\` is the same work done as directly as it can be, measured in the same run; \`ratio\` compares ours with it.
Absolute figures differ between machines by a factor of two and more; ratios hold better.
`
}

function render(measured) {
  const cells = measured.map(({ bench, name, value, unit, floor, ratio }) => [
    bench,
    name,
    `${figure(value)} ${unit}`,
    floor === undefined ? '' : `${figure(floor)} ${unit}`,
    ratio === undefined ? '' : `${ratio.toFixed(2)}×`,
  ])
  const all = [['bench', 'what', 'value', 'floor', 'ratio'], ...cells]
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)))
  const line = (row) => `| ${row.map((cell, column) => pad(cell, widths[column], column >= 2)).join(' | ')} |`
  const rule = `| ${widths.map((width, column) => (column >= 2 ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`
  return [line(all[0]), rule, ...cells.map(line)].join('\n')
}

function pad(text, width, right) {
  return right ? text.padStart(width) : text.padEnd(width)
}

/** Three digits that matter: 1234, 12.3, 0.123. */
function figure(value) {
  if (value === 0 || Math.abs(value) >= 100) return String(Math.round(value))
  return value.toFixed(Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))))
}
