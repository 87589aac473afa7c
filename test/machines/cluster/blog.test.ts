// The WordPress of the examples, as one project on two machines: its parts find each other by names, and go on doing so when
// they are replaced. Its images are stand-ins of the same names, with programs of the same names (blog-programs.mjs).
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InstanceBody, ServiceBody } from '../../../src/contract/contract.js'
import { builtProgram, type Run } from '../../cli/program.js'
import { removeDir } from '../../remove-dir.js'
import { importNode } from '../node-image.js'
import { insideMachine } from '../nspawn.js'
import { type Cluster, startCluster } from './cluster.js'
import { tellOf } from './workload.js'

const root = join(import.meta.dirname, '../../..')
const program = builtProgram(join(root, 'dist/mariposa.js'))
const programs = join(root, 'test/machines/blog-programs.mjs')
const example = join(root, 'examples/wordpress.yml')
const dir = mkdtempSync(join(tmpdir(), 'mariposa-blog-'))
const keyFile = '/var/lib/mariposa/secret.key'
const passwords = { mysql_password: 'the blog may in', mysql_root_password: 'everybody may in' }

let cluster: Cluster
let elsewhere: ChildProcess
beforeAll(async () => {
  cluster = await startCluster({ machines: 2, tls: true, docker: true })
  await importNode(
    cluster.machines.flatMap(({ docker }) => docker?.socketPath ?? []),
    { names: imagesOf(readFileSync(example, 'utf8')), furnish, changes: 'CMD ["apache2-foreground"]' },
  )
  elsewhere = spawn(process.execPath, [programs, 'mysqld'], {
    env: { DATA_DIR: dir, LISTEN: host(), MYSQL_ROOT_PASSWORD: passwords.mysql_root_password },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
})
afterAll(async () => {
  elsewhere?.kill()
  await cluster?.stop()
  removeDir(dir)
})

/** The address of the host in the network of the machines. */
const host = (): string => cluster.networks[0]?.address.split(':')[0] ?? ''

const imagesOf = (manifest: string): readonly string[] => [
  ...new Set([...manifest.matchAll(/^ +image: (.+)$/gm)].map(([, image = '']) => image)),
]

/** A shell, and the programs of all images. */
function furnish(image: string): void {
  for (const name of ['bin', 'tmp', 'var/lib/mysql', 'etc/nginx/conf.d', 'docker-entrypoint-initdb.d'])
    mkdirSync(join(image, name), { recursive: true })
  copyFileSync('/bin/busybox', join(image, 'bin/busybox'))
  symlinkSync('busybox', join(image, 'bin/sh'))
  copyFileSync(programs, join(image, 'programs.mjs'))
  const scripts = {
    'docker-entrypoint.sh': 'exec "$@"',
    ...Object.fromEntries(
      ['apache2-foreground', 'memcached', 'mysql', 'mysqladmin', 'mysqld', 'mysqldump', 'nginx'].map(
        (name) => [name, `exec ${insideMachine.node} /programs.mjs ${name} "$@"`],
      ),
    ),
  }
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(image, 'bin', name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(image, 'bin', name), 0o755)
  }
}

/** Runs the command line for the project, at the first machine. */
async function done(...args: readonly string[]): Promise<Run> {
  const env = { MARIPOSA_ENDPOINT: `unix://${cluster.machines[0]?.socket}`, MARIPOSA_PROJECT: 'blog' }
  const ended = await program.run(args, { env, cwd: dir })
  if (ended.code !== 0)
    throw new Error(`${args.join(' ')}: exit ${ended.code}\n${ended.stdout}\n${ended.stderr}`)
  return ended
}
const json = async <T>(...args: readonly string[]): Promise<T> =>
  JSON.parse((await done(...args, '--json')).stdout) as T

/** The second machine opens what the first has sealed. */
async function shareKey(): Promise<void> {
  const [first, second] = cluster.machines
  if (first === undefined || second === undefined) throw new Error('no machines')
  const key = await first.run('cat', keyFile)
  await second.run('sh', '-c', 'umask 077; printf %s "$1" > "$0"', keyFile, key)
  await second.run('systemctl', 'kill', '--kill-whom=main', '--signal=HUP', 'mariposa.service')
}

interface Page {
  readonly rows: readonly string[]
  readonly visit?: number
}

/** Asks the door of the first machine that has one; `row` is written. */
async function page(row?: string): Promise<Page> {
  const [door] = await json<readonly InstanceBody[]>('service', 'instances', 'nginx')
  const machine = cluster.machines.find(({ id }) => id === door?.machine)
  const asked = request({
    ...{ host: machine?.address, port: 80, path: '/wp-login.php', agent: false, timeout: 10_000 },
    method: row === undefined ? 'GET' : 'POST',
  })
  asked.on('timeout', () => asked.destroy(new Error('no answer')))
  asked.end(row)
  const said = await new Promise<string>((resolve, reject) => {
    asked.on('error', reject)
    asked.on('response', (answer) => {
      text(answer).then(
        (body) => (answer.statusCode === 200 ? resolve(body) : reject(new Error(body))),
        reject,
      )
    })
  })
  const { rows, visit } = JSON.parse(said) as Page
  return { rows: rows.map((one) => JSON.parse(one) as string), ...(visit !== undefined && { visit }) }
}

/** What a program prints in an instance of a service. */
async function told(service: string, script: string): Promise<string> {
  const [instance] = await json<readonly InstanceBody[]>('service', 'instances', service)
  return (await done('service', 'exec', instance?.name ?? '', '--', 'sh', '-c', script)).stdout
}

test('the parts of the WordPress example find each other, also after they were replaced', {
  timeout: 280_000,
}, async ({ onTestFailed }) => {
  onTestFailed(() => tellOf(cluster))
  for (const [key, value] of Object.entries(passwords)) await done('meta', 'set', '--secret', key, value)
  await done('meta', 'set', 'backup_host', host())
  await shareKey()
  await done('service', 'deploy', example, '--timeout', '120s')
  const services = await json<readonly ServiceBody[]>('service', 'list')
  expect(
    Object.fromEntries(services.map(({ name, status, healthy }) => [name, `${status} ${healthy}`])),
  ).toEqual({
    ...{ nginx: 'running 1', wordpress: 'running 1', memcached: 'running 1' },
    ...{ 'mysql-primary': 'running 1', 'mysql-replica': 'running 1', backup: 'idle 0' },
  })
  const placed = await json<readonly InstanceBody[]>('service', 'instances')
  const of = (service: string) => placed.find((one) => one.service === service)?.machine
  expect(of('mysql-replica')).not.toBe(of('mysql-primary'))
  expect(of('memcached')).toBe(of('wordpress'))

  // From the door to the cache and the database, and from there to the replica.
  expect(await page('first')).toEqual({ rows: ['first'], visit: 1 })
  const dump = 'MYSQL_PWD="$MYSQL_ROOT_PASSWORD" mysqldump --host=127.0.0.1 --user=root'
  await expect.poll(() => told('mysql-replica', dump)).toBe('"first"\n')

  // What is replaced is found again, and the database has what it had.
  await done('service', 'reprovision', 'mysql-primary')
  await expect.poll(() => page().catch(String)).toEqual({ rows: ['first'] })
  await done('service', 'reprovision', 'wordpress')
  await expect.poll(() => page('second').catch(String)).toEqual({ rows: ['first', 'second'], visit: 2 })

  await expect.poll(() => told('mysql-replica', dump)).toBe('"first"\n"second"\n')
  await done('service', 'start', 'backup')
  await expect.poll(() => readFileSync(join(dir, 'rows'), 'utf8')).toBe('"first"\n"second"\n')
})
