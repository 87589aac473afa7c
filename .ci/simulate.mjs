// Simulates clusters for five minutes or more in all, two at a time: of each profile a fixed seed, which has to hold, and fresh
// ones. A fresh one that breaks is printed, shortened, with how to repeat it, and does not fail the run: nearly always what
// breaks it has been there for long, and it would hold up a change that has nothing to do with it. Then comes what all of them
// have seen, and what they never have.
import { spawn, spawnSync } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const results = process.argv[2]
const fresh = 1_000_000 + (Math.floor(Date.now() / 1000) % 1_000_000)
const profiles = ['embedded', 'places', 'volumes', 'moves', 'scaling', 'network', 'units', 'order', 'routes']
/** In all: what of it fixed seeds do not take, fresh ones do. */
const secondsOfEach = 20

const fixed = profiles.map((profile) => ({
  name: `fixed ${profile}`,
  isFixed: true,
  words: ['--profile', profile, '--from', '1', '--seeds', '1', '--busy', '20'],
}))
const wide = ['--machines', '5', '--services', '20', '--calm', '60', '--busy', '240']
const freshOnes = [
  { name: 'fresh wide', isFixed: false, words: [...wide, '--from', `${fresh}`, '--minutes', '1'] },
  ...['etcd', 'requests', ...profiles].map((profile) => ({
    name: `fresh ${profile}`,
    isFixed: false,
    words: [
      ...['--profile', profile, '--busy', '20', '--from', `${fresh}`],
      ...['--minutes', `${secondsOfEach / 60}`],
    ],
  })),
]

const waiting = [...freshOnes, ...fixed]
const done = []
await Promise.all([lane(), lane()])
console.log('\n-- all of them')
const files = done.flatMap(({ hasEnded, file }) => (hasEnded ? [file] : [])).join(',')
spawnSync(process.execPath, ['scripts/simulate.mjs', '--sum', files], { stdio: 'inherit' })
const broken = done.filter(({ code }) => code !== 0)
const isFailure = ({ isFixed, hasEnded }) => isFixed || !hasEnded
for (const one of broken)
  console.log(`${one.name} is broken${isFailure(one) ? '' : ', which does not fail this run'}`)
process.exitCode = broken.some(isFailure) ? 1 : 0

async function lane() {
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) done.push(await simulated(one))
}

/** Resolves when it has ended and is told of. */
async function simulated({ name, isFixed, words }) {
  const begin = performance.now()
  const file = join(results, `simulated-${name.replaceAll(' ', '-')}.json`)
  const all = ['scripts/simulate.mjs', ...words, '--json', ...(isFixed ? [] : ['--shrink', '0.5'])]
  const child = spawn(process.execPath, all, { stdio: ['ignore', openSync(file, 'w'), 'pipe'] })
  let told = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    told += text
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  const body = bodyIn(file)
  const { seeds, steps, virtualMs } = body ?? { seeds: 0, steps: 0, virtualMs: 0 }
  const seconds = ((performance.now() - begin) / 1000).toFixed(0)
  console.log(
    `-- ${name}: ${code === 0 ? 'holds' : 'BROKEN'}; ${seeds} seeds, ${steps} steps, ${(virtualMs / 86_400_000).toFixed(2)} days of a cluster, ${seconds} s`,
  )
  if (code !== 0)
    console.log(
      `${told}again: npm run simulate -- ${words.slice(0, words.indexOf('--from')).join(' ')} --seed N`,
    )
  return { name, isFixed, code, file, hasEnded: body !== null }
}

/** What a run has printed in its end; null where it has not come to that. */
function bodyIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
