// What it costs a daemon to be asked for the services of a project again and again, by programs that keep their connection:
// `node bench/polls.mjs [SERVICES]`. Told is by processor time of the daemon, as whoever asks takes as much of the machine.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
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
const forMs = 5000

const home = mkdtempSync(join(tmpdir(), 'polls-'))
const daemon = await startDaemon(home, 'process')
try {
  // They do not start by themselves: nothing but the questions is at work.
  const text = 'compute_type: process\nservice_type: event\ncommand: [/bin/true]\n'
  const sources = Array.from({ length: count }, (_, n) => ({
    file: `s${n}.yml`,
    text: `name: s${n}\n${text}`,
  }))
  await call(daemon.socket, 'POST', '/v1/projects/default/deploy', { sources, waitForRoom: true })
  await quiet()
  const { tag, bytes } = await ask()
  console.log(`${count} services, ${bytes} bytes`)
  await poll('')
  tell('the list', await poll(''))
  tell('who has it already (304)', await poll(`if-none-match: ${tag}\r\n`))
} finally {
  await daemon.stop()
  rmSync(home, { recursive: true })
}

function tell(what, { answers, seconds, cpu }) {
  const per = (value) => Math.round(value).toLocaleString('en')
  console.log(
    `${what}: ${per(answers / cpu)} a second of processor time, ${((cpu / answers) * 1000).toFixed(3)} ms each;` +
      ` ${per(answers / seconds)} a second on the clock`,
  )
}

function cpuSeconds() {
  const fields = readFileSync(`/proc/${daemon.pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function quiet() {
  for (let before = cpuSeconds(); ; before = cpuSeconds()) {
    await sleep(2000)
    if (cpuSeconds() - before < 0.1) return
  }
}

function ask() {
  return new Promise((resolve, reject) => {
    get({ socketPath: daemon.socket, path: list }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk) => {
        bytes += chunk.length
      })
      answer.on('end', () => resolve({ tag: answer.headers.etag, bytes }))
    }).on('error', reject)
  })
}

/** Asks from several connections, each as soon as it has been answered. */
async function poll(headers) {
  const begun = { cpu: cpuSeconds(), at: performance.now() }
  const answers = await Promise.all(Array.from({ length: askers }, () => askOn(headers, begun.at + forMs)))
  return {
    answers: answers.reduce((all, one) => all + one, 0),
    seconds: (performance.now() - begun.at) / 1000,
    cpu: cpuSeconds() - begun.cpu,
  }
}

/** Reads answers by their lengths alone: a client that does more would measure itself. */
function askOn(headers, until) {
  const request = `GET ${list} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`
  return new Promise((resolve, reject) => {
    const socket = connect(daemon.socket, () => socket.write(request))
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
