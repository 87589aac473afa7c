// The guestbook's entries, in memory: GET /entries, POST /entries with `{"by": …, "text": …}`, GET /healthz.
import { createServer } from 'node:http'

const kept = 100
const entries = []

const server = createServer((request, response) => {
  const route = `${request.method} ${request.url}`
  if (route === 'GET /healthz') return send(response, 200, { ok: true })
  if (route === 'GET /entries') return send(response, 200, entries)
  if (route === 'POST /entries') return add(request, response)
  send(response, 404, { error: 'no such page' })
})

async function add(request, response) {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk
    if (body.length > 10_000) return send(response, 413, { error: 'too long' })
  }
  try {
    const { by, text } = JSON.parse(body)
    entries.push({ at: new Date().toISOString(), by: String(by), text: String(text) })
    entries.splice(0, entries.length - kept)
    send(response, 201, { entries: entries.length })
  } catch {
    send(response, 400, { error: 'expected {"by": …, "text": …}' })
  }
}

function send(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(value)}\n`)
}

const port = Number(process.env.PORT)
server.listen(port, process.env.LISTEN, () => console.log(`api listens on port ${port}`))

process.on('SIGTERM', () => {
  console.log('api ends')
  server.close(() => process.exit(0))
  server.closeIdleConnections()
})
