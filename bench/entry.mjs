// Requests that fail while a project is changed: three daemons and an etcd on this machine, five services that find each other by
// names alone, and requests over kept connections through the entry, a third of them POST and some five seconds long. As root.
// `node bench/entry.mjs --rollouts 10 --rate 200`
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { bundle } from './bundle.mjs'
import { startDaemonAs } from './daemon.mjs'
import { freePort } from './free-port.mjs'

const root = join(import.meta.dirname, '..')
const program = join(root, 'dist/mariposa.js')
const letters = ['a', 'b', 'c']
const clients = 60

/**
 * Asks those that it is told of, by name, before it answers. The front ends at once when it is told to: the entry has nothing under way
 * for it then. Those that are found by names finish what they have, as nobody else knows of it.
 */
const app = `import { Resolver } from 'node:dns/promises'
import { createServer, get } from 'node:http'
const resolver = new Resolver({ timeout: 1000, tries: 3 })
resolver.setServers([process.env.NAMES])
const others = (process.env.OTHERS ?? '').split(' ').filter((name) => name !== '')
const ask = async (name) => {
  const [{ name: host, port }] = await resolver.resolveSrv(name)
  const [address] = await resolver.resolve4(host)
  return new Promise((resolve, reject) => {
    get({ host: address, port, agent: false }, (answer) => {
      answer.resume()
      answer.on('end', () => answer.statusCode === 200 ? resolve() : reject(new Error(name + ' says ' + answer.statusCode)))
    }).on('error', reject)
  })
}
const server = createServer((asked, answer) => {
  asked.resume()
  asked.on('end', async () => {
    try {
      if (asked.url === '/health') return answer.end('well')
      if (asked.url === '/slow') await new Promise((resolve) => setTimeout(resolve, 5000))
      await Promise.all(others.map(ask))
      answer.end(process.env.MARK)
    } catch (error) {
      answer.writeHead(502).end(String(error))
    }
  })
}).listen(Number(process.env.PORT), process.env.HOST)
process.on('SIGTERM', () => process.env.FRONT ? process.exit(0) : server.close(() => process.exit(0)))
`

function projectOf(home, mark, namesPort) {
  const service = (name, others, more = '') => `  ${name}:
    command: [${JSON.stringify(process.execPath)}, ${JSON.stringify(join(home, 'app.mjs'))}]
    environment:
      MARK: "${mark}"
      INSTANCE: "{{ .instance.name }}"
      HOST: "{{ .machine.ip }}"
      NAMES: "{{ .machine.ip }}:${namesPort}"
      FRONT: "${name === 'front' ? 'yes' : ''}"
      OTHERS: "${others.map((one) => `{{ .services.${one}.address }}`).join(' ')}"
    ${more}
`
  return `defaults:
  compute_type: process
  ports: ["0:8080"]
  memory: 128M
  cns: {ttl: 1}
  stop: {timeout: 10, preservestopped: "no"}
  # By its own address: on this machine there are three.
  healthchecks: [{type: command, command: [bash, -c, 'exec 3<>/dev/tcp/$HOST/$PORT'], poll: 1, timeout: 1}]
services:
${service('store', [])}${service('cache', [])}${service('api', ['store', 'cache'])}${service('worker', ['api'])}${service('front', ['api'], 'entry: [{host: shop.example, tls: off, drain: 30}]')}`
}

/** Rows of the bench table. */
export async function run({ rollouts = 3, rate = 100 } = {}) {
  const { startEtcd } = await bundle('test/machines/etcd-host.ts', 'etcd-host.mjs')
  const etcd = await startEtcd()
  const home = mkdtempSync(join(tmpdir(), 'mariposa-bench-entry-'))
  const [namesPort, http, https] = [await freePort(), await freePort(), await freePort()]
  const daemons = []
  try {
    writeFileSync(join(home, 'app.mjs'), app)
    for (const [n, letter] of letters.entries()) {
      const at = ['--entry', '--entry-http', `127.0.0.1:${http}`, '--entry-https', `127.0.0.1:${https}`]
      const address = `127.0.0.${n + 2}`
      const options = [...(n === 0 ? at : []), '--public-ip', address, '--dns', `${address}:${namesPort}`]
      const store = `etcd://${etcd.options.endpoints[0]}`
      daemons.push(await startDaemonAs(join(home, letter), letter, [...options, '--store', store]))
    }
    const [{ socket }] = daemons
    const mariposa = async (...words) => {
      const args = [program, '-j', 'shop', '--endpoint', `unix://${socket}`, ...words]
      return (await promisify(execFile)(process.execPath, args)).stdout
    }
    const deploy = async (mark, ...more) => {
      writeFileSync(join(home, 'shop.yml'), projectOf(home, mark, namesPort))
      await mariposa('service', 'deploy', join(home, 'shop.yml'), '--timeout', '120s', ...more)
    }
    await deploy('v0')
    for (const name of ['front', 'api']) await mariposa('service', 'scale', name, '3')
    return await measure({ mariposa, deploy, rollouts, rate, port: http })
  } finally {
    if (daemons[0] !== undefined) await end(daemons[0].socket).catch(() => {})
    await daemons[1]?.stop()
    await daemons[2]?.stop()
    await daemons[0]?.stop()
    // One that starts without an entry ends the proxy.
    if (daemons[0] !== undefined) {
      const last = await startDaemonAs(join(home, 'a'), 'a', [
        '--dns',
        'none',
        '--store',
        `etcd://${etcd.options.endpoints[0]}`,
      ])
      await sleep(3000)
      await last.stop()
    }
    await etcd.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

async function measure({ mariposa, deploy, rollouts, rate, port }) {
  while ((await send({ port, path: '/' })).status !== 200) await sleep(100)
  const load = startLoad(port, rate)
  const rows = []
  const phase = async (name, act) => {
    const before = load.count()
    const from = performance.now()
    await act()
    // What is under way is five seconds long at most.
    await sleep(6000)
    const { sent, failed } = load.since(before)
    const seconds = ((performance.now() - from) / 1000).toFixed(0)
    const row = {
      name: `failed of ${sent} requests: ${name}, ${seconds} s (load ${loadavg()[0].toFixed(1)})`,
      value: failed,
      unit: '',
    }
    console.error(row.name, failed, load.whys().slice(0, 5))
    rows.push(row)
  }
  await phase('nothing is changed', () => sleep(5000))
  await phase(`${rollouts} rolling updates of all five services`, async () => {
    for (let n = 1; n <= rollouts; n++) await deploy(`v${n}`)
  })
  await phase('scale of the front from 3 to 10 and back', async () => {
    await mariposa('service', 'scale', 'front', '10')
    await mariposa('service', 'scale', 'front', '3')
  })
  await phase('drain of a machine', () => mariposa('machine', 'drain', 'c'.repeat(32)))
  await mariposa('machine', 'uncordon', 'c'.repeat(32)).catch(() => {})
  await phase(
    `kill -9 of an instance of the front, with ${load.underWay()} requests under way in all`,
    async () => {
      const [first] = JSON.parse(await mariposa('service', 'instances', 'front', '--json'))
      process.kill(pidOf(first.name), 'SIGKILL')
    },
  )
  await load.end()
  return rows
}

/** The process of an instance: its environment says who it is. */
function pidOf(instance) {
  const { readdirSync } = process.getBuiltinModule('node:fs')
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'latin1').split('\0')
      if (
        environment.some((one) => one.endsWith(`=${instance}`)) &&
        environment.some((one) => one.startsWith('OTHERS='))
      )
        return Number(name)
    } catch {
      // It has ended.
    }
  }
  throw new Error(`${instance} has no process`)
}

/** So many requests a second over kept connections. */
function startLoad(port, rate) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const body = Buffer.alloc(3000, 'x')
  let [sent, failed, open, n] = [0, 0, 0, 0]
  const whys = []
  const one = async () => {
    const isPost = n % 3 === 0
    // Few enough to leave connections for the others.
    const path = n++ % 60 === 0 ? '/slow' : '/'
    open++
    const answer = await send({ port, path, agent, ...(isPost && { body }) })
    open--
    sent++
    if (answer.status === 200) return
    failed++
    whys.push(`${isPost ? 'POST' : 'GET'} ${path}: ${answer.status} ${answer.text}`)
  }
  const timer = setInterval(one, 1000 / rate)
  return {
    count: () => ({ sent, failed }),
    since: (before) => ({ sent: sent - before.sent, failed: failed - before.failed }),
    underWay: () => open,
    whys: () => whys.splice(0),
    end: async () => {
      clearInterval(timer)
      while (open > 0) await sleep(50)
      agent.destroy()
    },
  }
}

/** Resolves to the answer; status 0 where there is none. */
function send({ port, path, agent, body }) {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) }
    const asked = request({
      ...{
        host: '127.0.0.1',
        port,
        path,
        agent: agent ?? false,
        method: body === undefined ? 'GET' : 'POST',
      },
      headers: { host: 'shop.example', ...length },
    })
    asked.on('error', (error) => resolve({ status: 0, text: String(error) }))
    asked.on('response', (response) => {
      response
        .setEncoding('utf8')
        .toArray()
        .then(
          (parts) => resolve({ status: response.statusCode, text: parts.join('') }),
          (error) => resolve({ status: 0, text: String(error) }),
        )
    })
    asked.end(body)
  })
}

async function end(socket) {
  await promisify(execFile)(process.execPath, [
    program,
    '-j',
    'shop',
    '--endpoint',
    `unix://${socket}`,
    'project',
    'delete',
    'shop',
    '--force',
  ])
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { rollouts: { type: 'string' }, rate: { type: 'string' } } })
  console.table(await run({ rollouts: Number(values.rollouts ?? 3), rate: Number(values.rate ?? 100) }))
}
