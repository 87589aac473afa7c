// What it costs a daemon to be asked for the services of a project again and again, by programs that keep their connection:
// `node bench/polls.mjs [SERVICES] [ROOT]`, with the daemon of the program at ROOT. Told is by processor time of who answers, as
// whoever asks takes as much of the machine. By turns with the floor: a bare server of node:http that answers the same bytes.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from './api.mjs'
import { startDaemon } from './daemon.mjs'

const count = Number(process.argv[2] ?? 100)
const list = '/v1/projects/default/services'
const askers = 8
const forMs = Number(process.env.BENCH_MS ?? 5000)
const rounds = 3

const home = mkdtempSync(join(tmpdir(), 'polls-'))
const daemon = await startDaemon(home, 'process', undefined, process.argv[3])
try {
  // They do not start by themselves: nothing but the questions is at work.
  const text = 'compute_type: process\nservice_type: event\ncommand: [/bin/true]\n'
  const sources = Array.from({ length: count }, (_, n) => ({
    file: `s${n}.yml`,
    text: `name: s${n}\n${text}`,
  }))
  await call(daemon.socket, 'POST', '/v1/projects/default/deploy', { sources, waitForRoom: true })
  await quiet()
  const { tag, body } = await ask()
  console.log(`${count} services, ${body.length} bytes`)
  const floor = await startFloor(tag, body)
  for (let round = 0; round <= rounds; round++) {
    if (round > 0) console.log(`round ${round}`)
    for (const [name, headers] of [
      ['the list', ''],
      ['who has it already (304)', `if-none-match: ${tag}\r\n`],
    ]) {
      const [ours, least] = [await poll(daemon, headers), await poll(floor, headers)]
      // The first round is to get warm.
      if (round > 0) tell(name, ours, least)
    }
  }
  floor.child.kill()
} finally {
  await daemon.stop()
  rmSync(home, { recursive: true })
}

function tell(what, ours, least) {
  const per = (value) => Math.round(value).toLocaleString('en')
  const [ms, leastMs] = [ours, least].map(({ answers, cpu }) => (cpu / answers) * 1000)
  console.log(
    `${what}: ${ms.toFixed(3)} ms of processor time each, floor ${leastMs.toFixed(3)} (${(leastMs / ms).toFixed(2)} of its rate);` +
      ` ${per(ours.answers / ours.seconds)} a second on the clock, floor ${per(least.answers / least.seconds)}`,
  )
}

/** Answers whatever is asked with the list, or with 304 where the tag comes along. */
async function startFloor(tag, body) {
  const [socket, file] = [join(home, 'floor.sock'), join(home, 'body')]
  writeFileSync(file, body)
  const program = `const body = require('node:fs').readFileSync(process.argv[1])
    const head = { etag: process.argv[2], 'content-type': 'application/json; charset=utf-8', 'content-length': body.length }
    require('node:http').createServer((request, response) => {
      if (request.headers['if-none-match'] === head.etag) response.writeHead(304, { etag: head.etag }).end()
      else response.writeHead(200, head).end(body)
    }).listen(process.argv[3])`
  const child = spawn(process.execPath, ['-e', program, file, tag, socket], { stdio: 'inherit' })
  while (!existsSync(socket)) await sleep(50)
  return { socket, pid: child.pid, child }
}

function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function quiet() {
  for (let before = cpuSeconds(daemon.pid); ; before = cpuSeconds(daemon.pid)) {
    await sleep(2000)
    if (cpuSeconds(daemon.pid) - before < 0.1) return
  }
}

function ask() {
  return new Promise((resolve, reject) => {
    get({ socketPath: daemon.socket, path: list }, (answer) => {
      const chunks = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => resolve({ tag: answer.headers.etag, body: Buffer.concat(chunks) }))
    }).on('error', reject)
  })
}

/** Asks from several connections, each as soon as it has been answered. */
async function poll({ socket, pid }, headers) {
  const begun = { cpu: cpuSeconds(pid), at: performance.now() }
  const answers = await Promise.all(
    Array.from({ length: askers }, () => askOn(socket, headers, begun.at + forMs)),
  )
  return {
    answers: answers.reduce((all, one) => all + one, 0),
    seconds: (performance.now() - begun.at) / 1000,
    cpu: cpuSeconds(pid) - begun.cpu,
  }
}

/** Reads answers by their lengths alone: a client that does more would measure itself. */
function askOn(path, headers, until) {
  const request = `GET ${list} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write(request))
    let answered = 0
    let missing = 0
    socket.on('error', reject)
    socket.on('close', () => resolve(answered))
    socket.on('data', (chunk) => {
      missing = missing > 0 ? missing - chunk.length : missingOf(chunk)
      if (missing > 0) return
      answered++
      if (performance.now() < until) socket.write(request)
      else socket.end()
    })
  })
}

/** How many bytes of an answer are to come after its first piece, which has all of the head. */
function missingOf(chunk) {
  const at = chunk.indexOf('\r\n\r\n')
  const head = chunk.subarray(0, at).toString('latin1')
  return Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (chunk.length - at - 4)
}
