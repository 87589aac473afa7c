// The program of each service of a shop: it asks those that it is told of, by their names alone, before it answers, but for `/alone`. The front ends at once
// when it is told to end, as the entry knows what is under way for it; the others, which nobody knows of, finish what they have.
import { Resolver } from 'node:dns/promises'
import { createServer, request } from 'node:http'

const { NAME, VERSION, PORT = '8080', OTHERS = '', NAMES } = process.env
const others = OTHERS.split(' ').filter((name) => name !== '')
const connectsWithinMs = 1000
const slowMs = 5000
const answersWithinMs = slowMs + 10_000

// What asks waits for less than this where answers came soon before.
const resolver = new Resolver({ timeout: 5000, tries: 5 })
// A program on a machine without a resolver of its own is told whom to ask. A container asks the first that it is given, its machine's daemon:
// those of the host know nothing of these names, and one that says nothing costs five seconds.
resolver.setServers([NAMES ?? resolver.getServers()[0]])

/** Asks those that a name stands for now, one after the other until one is reached: before that nobody has seen the request. */
async function ask(name, path) {
  const targets = (await resolver.resolveSrv(name)).toSorted((one, other) => one.priority - other.priority)
  const missed = []
  for (const { name: host, port } of targets) {
    try {
      const [address] = await resolver.resolve4(host)
      return [...missed, ...(await get({ host: address, port, path, name }))]
    } catch (error) {
      missed.push(`${NAME} asked ${host}: ${error.message}`)
      if (error.isUnreached !== true) break
    }
  }
  throw new Error(missed.at(-1) ?? `nobody is called ${name}`)
}

function get({ host, port, path, name }) {
  return new Promise((resolve, reject) => {
    let isConnected = false
    const asked = request({ host, port, path, agent: false, headers: { 'x-for': name } }, (answer) => {
      answer.setEncoding('utf8')
      answer.toArray().then((parts) => {
        if (answer.statusCode === 200) resolve(JSON.parse(parts.join('')).missed)
        else reject(new Error(`${host}:${port} says ${answer.statusCode} ${parts.join('')}`))
      }, reject)
    })
    const timer = setTimeout(() => asked.destroy(new Error('no connection')), connectsWithinMs)
    const late = setTimeout(() => asked.destroy(new Error('no answer')), answersWithinMs)
    asked.on('close', () => clearTimeout(late))
    asked.on('socket', (socket) =>
      socket.once('connect', () => {
        isConnected = true
        clearTimeout(timer)
      }),
    )
    asked.on('error', (error) => {
      clearTimeout(timer)
      const told = new Error(`${host}:${port}: ${error.message}`)
      reject(Object.assign(told, { isUnreached: !isConnected }))
    })
    asked.end()
  })
}

/** Whom it has not reached, and whom those have not that it asked. */
async function answerTo(path) {
  if (path.endsWith(`/slow-at-${NAME}`)) await new Promise((resolve) => setTimeout(resolve, slowMs))
  if (path === '/alone') return []
  return (await Promise.all(others.map((name) => ask(name, path)))).flat()
}

const server = createServer((asked, answer) => {
  asked.resume()
  asked.on('end', () => {
    const wanted = asked.headers['x-for']?.split('.')[0] ?? NAME
    if (wanted !== NAME) return answer.writeHead(421).end(`${NAME} is not ${wanted}`)
    answerTo(asked.url).then(
      (missed) => answer.end(JSON.stringify({ version: VERSION, missed })),
      (error) => answer.writeHead(502).end(`${NAME}: ${error.message}`),
    )
  })
})
server.listen(Number(PORT))
process.on('SIGTERM', () => {
  if (NAME === 'front') process.exit(0)
  server.close(() => process.exit(0))
})
