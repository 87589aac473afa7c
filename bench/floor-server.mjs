// The floor of bench/floors.mjs: a bare server of node:http. `node floor-server.mjs SOCKET BODY-FILE TAG ETCD` (bundled with our store).
// GET: the body, or 304 by its tag. PUT: reads JSON and answers it; below /etcd/ after a transaction on etcd of as many keys and
// bytes as ours. POST /write/N: N of those transactions by 64 writers, without a request for each.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { openEtcdStore } from '../src/store/io/etcd/etcd.ts'

const [socket, file, tag, endpoint] = process.argv.slice(2)
const body = readFileSync(file)
const store = openEtcdStore({
  endpoints: [endpoint],
  prefix: '/floor/',
  tls: null,
  login: null,
  requestTimeoutMs: 3000,
})
const json = 'application/json; charset=utf-8'
let events = 0

createServer((request, response) => {
  if (request.method === 'GET') {
    if (request.headers['if-none-match'] === tag) response.writeHead(304, { etag: tag }).end()
    else response.writeHead(200, { etag: tag, 'content-type': json, 'content-length': body.length }).end(body)
    return
  }
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', async () => {
    const said = text === '' ? null : JSON.parse(text)
    const [, where, count] = request.url.split('/')
    if (where === 'write') await writeAll(Number(count))
    if (where === 'etcd') await write(request.url)
    const answer = JSON.stringify({ key: request.url, updatedAt: 0, said })
    response.writeHead(200, { 'content-type': json, 'content-length': answer.length }).end(answer)
  })
}).listen(socket)

async function writeAll(count) {
  let begun = 0
  const writer = async (_, n) => {
    while (begun < count) {
      begun += 1
      await write(`k${n}`)
    }
  }
  await Promise.all(Array.from({ length: 64 }, writer))
}

/** A record and its event. */
function write(key) {
  events += 1
  const put = (name, length) => ({ op: 'put', key: name, value: 'x'.repeat(length) })
  return store.txn([], [put(key, 200), put(`e${process.pid}-${events}`, 220)])
}
