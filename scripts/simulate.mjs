// `npm run simulate -- --help`: bundles test/simulation, which is written in TypeScript, and runs it; with `--mutation` once
// for each fault that is put into the product on purpose.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleTo } from '../bench/bundle.mjs'
import { mutations } from '../test/simulation/mutations.mjs'
import { rowOf, withRow } from './mutation-table.mjs'

const root = join(import.meta.dirname, '..')
const entry = join(root, 'test/simulation/main.ts')
const args = process.argv.slice(2)
const at = args.indexOf('--mutation')
if (at < 0) process.exitCode = run(await bundled('simulate.mjs'), args, 'inherit').status ?? 1
else process.exitCode = await mutate(args[at + 1], args.toSpliced(at, 2))

/** Under a name of this process, as several may run at once. */
async function bundled(name, plugins = []) {
  const path = await bundleTo(
    { entryPoints: [entry], sourcemap: 'inline', plugins },
    `${process.pid}-${name}`,
  )
  process.once('exit', () => rmSync(path, { force: true }))
  return path
}

function run(program, words, stdio) {
  // Nearly all that it makes is gone at once: with the usual 16 MB much of it is copied first.
  // Several threads that collect garbage wait for each other, which counts as well.
  const flags = ['--enable-source-maps', '--max-semi-space-size=64', '--single-threaded-gc']
  return spawnSync(process.execPath, [...flags, program, ...words], { stdio, encoding: 'utf8' })
}

/**
 * Prints a row for each: found or not, after how many seeds and seconds of a core, and by what; `--table FILE` writes those
 * that were found into the table of that file. 1 where one was not found.
 */
async function mutate(name, given) {
  const asked = given.indexOf('--table')
  const table = asked < 0 ? null : given[asked + 1]
  const words = asked < 0 ? given : given.toSpliced(asked, 2)
  const chosen = mutations.filter((one) => name === 'all' || one.name === name)
  if (chosen.length === 0) {
    console.error(`there is no mutation "${name}": ${mutations.map((one) => one.name).join(', ')}`)
    return 2
  }
  let missed = 0
  for (const mutation of chosen) {
    const program = await bundled(`simulate-${mutation.name}.mjs`, [putInto(mutation)])
    const { stdout, stderr } = run(
      program,
      ['--minutes', '10', ...(mutation.args ?? []), ...words, '--until-broken'],
      'pipe',
    )
    const found = /^seed (\d+) is broken: (.*)/m.exec(stdout)
    const [, seeds = '?', seconds = '?'] = /^(\d+) seeds.* (\d+) s of a core$/m.exec(stdout) ?? []
    if (found === null) missed += 1
    const row = rowOf(mutation, { seeds, seconds, on: new Date().toISOString().slice(0, 10) })
    const verdict = found === null ? `NOT FOUND ${stderr.split('\n', 1)[0]}` : `${found[2].slice(0, 120)}`
    console.log(`${row} ${verdict}`)
    if (table !== null && found !== null)
      writeFileSync(table, withRow(readFileSync(table, 'utf8'), mutation.name, row))
  }
  return missed === 0 ? 0 : 1
}

/** What bundles the product with one place of it changed. */
function putInto({ name, file, from, to }) {
  const path = join(root, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2)
    throw new Error(`${name}: what it changes does not stand once in ${file}`)
  return {
    name: 'mutation',
    setup: (build) => {
      const filter = new RegExp(`^${path.replaceAll(/[.\\/]/g, '\\$&')}$`)
      build.onLoad({ filter }, () => ({ contents: text.replace(from, () => to), loader: 'ts' }))
    },
  }
}
