// The floor of starting programs: spawn in a loop, each in a session of its own with two log files, and nothing else.
// A process of its own, since what a fork costs depends on the memory of who forks. Prints milliseconds.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'

const [folder, count, ...program] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const from = performance.now()
const children = Array.from({ length: Number(count) }, (_, index) => {
  const outputs = ['out', 'err'].map((stream) => openSync(join(folder, `${index}.${stream}`), 'a'))
  const child = spawn(program[0], program.slice(1), {
    cwd: '/',
    detached: true,
    stdio: ['ignore', ...outputs],
    env: {},
  })
  for (const output of outputs) closeSync(output)
  return child
})
await Promise.all(children.map((child) => new Promise((done) => child.once('spawn', done))))
console.log(performance.now() - from)
const ended = children.map((child) => new Promise((done) => child.once('exit', done)))
for (const child of children) child.kill('SIGKILL')
await Promise.all(ended)
