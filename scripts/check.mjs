// `npm run check`: format, lint, arrows, types and the quick tests, two at a time, as each of them has less than two processors to do.
// What a step printed comes whole, when it has ended; the last lines say how long each took and what failed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The tests first, as they take longest; the others, one after the other, beside them. */
const lanes = [['test'], ['format', 'types', 'lint', 'arrows']]

const isTerminal = process.stdout.isTTY
const color = isTerminal && process.env.NO_COLOR === undefined ? { FORCE_COLOR: '1' } : {}
const begun = performance.now()
const results = (await Promise.all(lanes.map(runAll))).flat()
for (const { name, code, seconds } of results)
  console.log(`${String(seconds).padStart(5)} s  ${name}${code === 0 ? '' : ': FAILED'}`)
console.log(`${String(secondsSince(begun)).padStart(5)} s  in all`)
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1

async function runAll(names) {
  const done = []
  for (const name of names) done.push(await run(name))
  return done
}

async function run(name) {
  const from = performance.now()
  const child = spawn('npm', ['run', '--silent', name], {
    env: { ...process.env, ...color },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk))
  const [code] = await once(child, 'close')
  console.log(`\n== ${name}`)
  process.stdout.write(Buffer.concat(printed))
  return { name, code, seconds: secondsSince(from) }
}

function secondsSince(from) {
  return Math.round((performance.now() - from) / 1000)
}
