// The guestbook's page: GET / shows the entries, POST /?by=… signs, GET /healthz says whether all is well.
// POST /break makes the health check fail from then on, to see how such an instance is replaced.
import { createServer } from 'node:http'
import { urlOf } from './find.mjs'

const { INSTANCE: instance, API: api, GREETING: greeting } = process.env
let broken = false

const server = createServer((request, response) => {
  answer(request).then(
    ({ status, text }) => response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`),
    (error) =>
      response.writeHead(502, { 'content-type': 'text/plain' }).end(`${instance}: ${error.message}\n`),
  )
})

async function answer(request) {
  const url = new URL(request.url ?? '/', 'http://guestbook')
  const route = `${request.method} ${url.pathname}`
  if (route === 'GET /healthz')
    return broken ? { status: 503, text: 'broken' } : { status: 200, text: 'well' }
  if (route === 'POST /break') return breakIt()
  if (route === 'POST /') return { status: 201, text: await sign(url.searchParams.get('by') ?? 'a guest') }
  if (route === 'GET /') return { status: 200, text: await page() }
  return { status: 404, text: 'no such page' }
}

function breakIt() {
  broken = true
  console.log(`${instance} was told to break`)
  return { status: 202, text: `${instance} is broken from now on` }
}

async function sign(by) {
  const body = JSON.stringify({ by, text: `was here, served by ${instance}` })
  await fetchApi('/entries', { method: 'POST', body })
  return `${by} signed through ${instance}`
}

async function page() {
  const entries = await fetchApi('/entries')
  const last = entries.slice(-3).map(({ by, text }) => `  ${by} ${text}`)
  return [`${greeting}, from ${instance}: ${entries.length} entries`, ...last].join('\n')
}

async function fetchApi(path, options = {}) {
  const response = await fetch(`${await urlOf(api)}${path}`, {
    ...options,
    signal: AbortSignal.timeout(3000),
  })
  if (!response.ok) throw new Error(`the api answered ${response.status}`)
  return response.json()
}

const port = Number(process.env.PORT)
server.listen(port, '127.0.0.1', () => console.log(`${instance} listens on port ${port}`))

process.on('SIGTERM', () => {
  console.log(`${instance} ends`)
  server.close(() => process.exit(0))
  server.closeIdleConnections()
})
