// Stand-ins for the programs of examples/wordpress.yml, under their names and with the options and variables that the example
// uses. Each does what the others need it for, over the network and with passwords; none is more than that.
import { once } from 'node:events'
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { hostname } from 'node:os'
import { text } from 'node:stream/consumers'

const [name, ...args] = process.argv.slice(2)
const { env } = process
/** The value of `--NAME=VALUE`. */
const option = (wanted) => args.find((arg) => arg.startsWith(`--${wanted}=`))?.slice(wanted.length + 3)

const databasePort = 3306

/** All that a connection says until its other side ends it; unlike `text`, it leaves the connection open for the answer. */
const heard = (socket) =>
  new Promise((resolve, reject) => {
    let said = ''
    socket.setEncoding('utf8').on('data', (more) => {
      said += more
    })
    socket.on('end', () => resolve(said)).on('error', reject)
  })

/** One question to a database, and its answer. */
async function query(host, question) {
  const socket = connect({ host, port: databasePort, timeout: 2000 })
  socket.on('timeout', () => socket.destroy(new Error(`${host} does not answer`)))
  await once(socket, 'connect')
  socket.end(JSON.stringify(question))
  const answer = JSON.parse(await heard(socket))
  if (answer.error !== undefined) throw new Error(answer.error)
  return answer
}

/** Rows of a database, one JSON value in a line; a replica takes those of its source. */
async function mysqld() {
  const file = `${env.DATA_DIR ?? '/var/lib/mysql'}/rows`
  const rows = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [])
  const add = (more) => appendFileSync(file, more.map((row) => `${row}\n`).join(''), { flush: true })
  const passwords = { [env.MYSQL_USER]: env.MYSQL_PASSWORD, root: env.MYSQL_ROOT_PASSWORD }
  const answer = ({ user, password, insert }) => {
    if (!password || passwords[user] !== password) return { error: `access denied for ${user}` }
    if (insert !== undefined && args.includes('--read-only=ON')) return { error: 'read only' }
    if (insert !== undefined) add(insert)
    return { rows: rows() }
  }
  createTcpServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    heard(socket).then(
      (asked) => socket.end(JSON.stringify(asked === '' ? {} : answer(JSON.parse(asked)))),
      () => {},
    )
  }).listen(databasePort, env.LISTEN)
  const scripts = '/docker-entrypoint-initdb.d'
  const said = existsSync(scripts)
    ? readdirSync(scripts)
        .map((one) => readFileSync(`${scripts}/${one}`, 'utf8'))
        .join('')
    : ''
  const [, host, user, password] =
    /SOURCE_HOST='(.+?)', SOURCE_USER='(.+?)', SOURCE_PASSWORD='(.+?)'/.exec(said) ?? []
  for (; host !== undefined; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const source = await query(host, { user, password }).catch(() => ({ rows: [] }))
    add(source.rows.slice(rows().length))
  }
}

/** `incr KEY 1` of memcached's protocol, of keys that begin at 0. */
function memcached() {
  const counts = new Map()
  createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (line) => {
      const [, key = ''] = line.split(' ')
      counts.set(key, (counts.get(key) ?? 0) + 1)
      socket.write(`${counts.get(key)}\r\n`)
    })
  }).listen(11211)
}

async function count(address, key) {
  const [host, port] = address.split(':')
  const socket = connect({ host, port, timeout: 2000 })
  socket.on('timeout', () => socket.destroy(new Error(`${host} does not answer`)))
  socket.setEncoding('utf8').write(`incr ${key} 1\r\n`)
  const [line] = await once(socket, 'data')
  socket.destroy()
  return Number(line)
}

/** A POST is a row of the database and a number of the cache; any answer tells all rows. */
function wordpress() {
  const [host] = env.WORDPRESS_DB_HOST.split(':')
  const account = { user: env.WORDPRESS_DB_USER, password: env.WORDPRESS_DB_PASSWORD }
  const [, cache] = /\$memcached_servers = array\('(.+)'\)/.exec(env.WORDPRESS_CONFIG_EXTRA) ?? []
  const answerTo = async (asked) => {
    if (asked.method !== 'POST') return { rows: (await query(host, account)).rows, from: hostname() }
    const visit = await count(cache, 'visits')
    const row = JSON.stringify(await text(asked))
    return { rows: (await query(host, { ...account, insert: [row] })).rows, visit, from: hostname() }
  }
  createServer((asked, answer) => {
    answerTo(asked).then(
      (said) => answer.end(JSON.stringify(said)),
      (error) => answer.writeHead(500).end(`Error establishing a database connection: ${error.message}`),
    )
  }).listen(80)
}

/** A proxy for whatever its configuration says. */
function nginx() {
  const [, upstream] =
    /proxy_pass http:\/\/(.+?);/.exec(readFileSync('/etc/nginx/conf.d/default.conf', 'utf8')) ?? []
  const [host, port] = upstream.split(':')
  createServer((asked, answer) => {
    const { method, url: path, headers } = asked
    const passed = request({ host, port, method, path, headers, agent: false }, (said) => {
      answer.writeHead(said.statusCode)
      said.pipe(answer)
    })
    passed.on('error', (error) => answer.writeHead(502).end(error.message))
    asked.pipe(passed)
  }).listen(80)
}

const programs = {
  'apache2-foreground': wordpress,
  memcached,
  mysqladmin: () => query('127.0.0.1', { user: option('user'), password: option('password') }),
  mysqldump: async () => {
    const { rows } = await query(option('host'), { user: option('user'), password: env.MYSQL_PWD })
    for (const row of rows) console.log(row)
  },
  mysql: async () => {
    const insert = (await text(process.stdin)).split('\n').filter(Boolean)
    await query(option('host'), { user: option('user'), password: env.MYSQL_PWD, insert })
  },
  mysqld,
  nginx,
}
process.on('SIGTERM', () => process.exit(0))
try {
  await programs[name]()
} catch (error) {
  console.error(`${name}: ${error.message}`)
  process.exitCode = 1
}
