// Requests at a steady pace over kept connections, from a process of its own: what its parent does takes nothing from them. Started with
// `fork`, it tells its parent what it has counted whenever it is asked (steady-load.ts).
import { Agent, request } from 'node:http'

const { entries, port, host, perSecond, connections, givesUpAfterMs, askOthersEvery } = JSON.parse(
  process.argv[2],
)
const body = Buffer.alloc(3000, 'x')
const eachEntry = entries.map((address) => ({
  address,
  agent: new Agent({ keepAlive: true, maxSockets: connections }),
}))

let number = 0
let skipped = 0
let isEnded = false
const underWay = new Set()
let since = { durations: [], failures: [], missed: [] }
/** What it was asked, and is to answer once so many more have been answered, and what was under way then is over. */
let question = null

/**
 * Each third is a POST with a body; of eighty one takes the front five seconds, and one the service behind it. Of the others one in
 * `askOthersEvery` needs the services behind it. None is begun that would have to wait for a connection.
 */
function next() {
  const n = number++
  if (underWay.size >= connections) return skipped++
  const [method, path] = [n % 3 === 0 ? 'POST' : 'GET', pathOf(n)]
  const { address, agent } = eachEntry[n % eachEntry.length]
  const one = { method, path, entry: address, at: Date.now(), from: performance.now() }
  underWay.add(one)
  send({ ...one, agent }, ({ status, text, error }) => {
    underWay.delete(one)
    const ms = performance.now() - one.from
    since.durations.push(ms)
    if (status === 200)
      since.missed.push(...JSON.parse(text).missed.map((what) => ({ at: Date.now(), what })))
    else {
      const { from: _, ...told } = one
      since.failures.push({ ...told, ms: Math.round(ms), status, error: error ?? text.slice(0, 200) })
    }
    question?.open.delete(one)
    answerWhenDue()
  })
}

function pathOf(n) {
  if (n % 80 === 1) return '/slow-at-front'
  if (n % 80 === 42) return '/slow-at-api'
  return n % askOthersEvery === 0 ? '/' : '/alone'
}

function send({ method, path, entry, agent }, told) {
  const length = method === 'POST' ? { 'content-length': String(body.length) } : {}
  const asked = request({ host: entry, port, path, method, agent, headers: { host, ...length } })
  let isTold = false
  const tell = (what) => {
    clearTimeout(timer)
    if (!isTold) told(what)
    isTold = true
  }
  const timer = setTimeout(() => asked.destroy(new Error('no answer')), givesUpAfterMs)
  asked.on('error', (error) => tell({ status: 0, text: '', error: `${error.code ?? ''} ${error.message}` }))
  asked.on('response', (answer) => {
    answer.setEncoding('utf8')
    answer.toArray().then(
      (parts) => tell({ status: answer.statusCode, text: parts.join('') }),
      (error) => tell({ status: 0, text: '', error: `cut off: ${error.message}` }),
    )
  })
  asked.end(method === 'POST' ? body : undefined)
}

/** With what was counted since the answer before. */
function answerWhenDue() {
  if (question === null || question.open.size > 0 || since.durations.length < question.atLeast) return
  question = null
  process.send({ ...since, skipped, underWay: underWay.size }, () => isEnded && process.exit(0))
  since = { durations: [], failures: [], missed: [] }
  skipped = 0
}

// By the clock, so that a timer that comes late costs no request.
const startedAt = performance.now()
const timer = setInterval(() => {
  while (number < ((performance.now() - startedAt) / 1000) * perSecond) next()
}, 1000 / perSecond)

process.on('message', ({ atLeast, isLast, isNow }) => {
  if (isLast) clearInterval(timer)
  isEnded = isLast
  question = { atLeast, open: new Set(isNow ? [] : underWay) }
  answerWhenDue()
})
// With whoever asked for it.
process.on('disconnect', () => process.exit(1))
