// Compose files of different sorts, imported and deployed under real Docker without a word of them being edited. Their images
// are stand-ins of the same names, with programs of the same names.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Docker from 'dockerode'
import { beforeAll, expect, inject, test } from 'vitest'
import type { InstanceBody, ServiceBody } from '../../src/contract/contract.js'
import { builtProgram } from '../cli/program.js'
import { until } from '../e2e/cluster.js'
import { ask, type Host, hostsOf } from '../e2e/host.js'
import { removeDir } from '../remove-dir.js'
import { testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'

const root = join(import.meta.dirname, '../..')
const composeDir = join(root, 'test/compose-import/compose')
const openHost = hostsOf(
  builtProgram(join(root, 'dist/mariposa.js')),
  onDocker('compose', () => inject('dockerSocket')),
)
const dockerode = new Docker({ socketPath: inject('dockerSocket') })
const docker = (...words: readonly string[]): string =>
  execFileSync('docker', ['-H', `unix://${inject('dockerSocket')}`, ...words], {
    encoding: 'utf8',
    stdio: 'pipe',
  })

const standIn = 'mariposa-stand-in:latest'
/** Answers at port 8080 with its own name and words, as whatever it is called; runs what it is given, else `serve`. */
const dockerfile = `FROM ${testImage}
RUN for name in serve work redis-server; do \\
      printf '#!/bin/sh\\ntrap "exit 0" TERM INT QUIT\\necho "$0 $*" >/www/index.html\\nhttpd -f -p 8080 -h /www &\\nwait\\n' >/bin/$name; done; \\
    for name in migrate curl pg_isready; do printf '#!/bin/sh\\necho "$0 $*"\\n' >/bin/$name; done; \\
    printf '#!/bin/sh\\ncase "$1" in ""|-*) set -- serve "$@";; esac\\nexec "$@"\\n' >/entry.sh; \\
    chmod 0755 /bin/* /entry.sh; chmod 0777 /www; mkdir /data; chown 1000:1000 /data
ENTRYPOINT ["/entry.sh"]
`
beforeAll(() => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-stand-in-'))
  try {
    writeFileSync(join(dir, 'Dockerfile'), dockerfile)
    docker('build', '--quiet', '--tag', standIn, dir)
  } finally {
    removeDir(dir)
  }
})

/** What the comments of an import ask to be set; what is not named here is text. */
const variables: Readonly<Record<string, string>> = {
  ...{ TAG: '2', MEMORY: '32M', ADMIN_PORT: '0', INTERVAL: '5', TIMEOUT: '2', RETRIES: '3' },
}

/** A Compose file that was imported and deployed. */
class Deployed {
  readonly host: Host
  readonly #project: readonly string[]

  constructor(host: Host, project: string) {
    this.host = host
    this.#project = ['--project', project]
  }

  async json<T>(...words: readonly string[]): Promise<T> {
    return JSON.parse((await this.host.done(...words, ...this.#project, '--json')).stdout) as T
  }

  async done(...words: readonly string[]): Promise<string> {
    return (await this.host.done(...words, ...this.#project)).stdout
  }

  async instanceOf(service: string): Promise<InstanceBody> {
    const [instance] = await this.json<readonly InstanceBody[]>('service', 'instances', service)
    if (instance === undefined) throw new Error(`${service} has no instance`)
    return instance
  }

  /** What a shell in an instance prints. */
  async told(service: string, script: string): Promise<string> {
    const { name } = await this.instanceOf(service)
    const words = ['service', 'exec', name, ...this.#project, '--', 'sh', '-c', script]
    return (await this.host.done(...words)).stdout.trim()
  }

  /** What Docker says of an instance. */
  async inspected(service: string): Promise<Docker.ContainerInspectInfo> {
    return await dockerode.getContainer((await this.instanceOf(service)).container ?? '').inspect()
  }
}

/** Imports a file as it is, sets what its comments name, tags the stand-ins and deploys. */
async function deployed(name: string): Promise<Deployed> {
  const host = openHost()
  await host.startDaemon('--metadata', 'zone=eu-1,disk=ssd,rack=r1')
  const manifest = join(host.dir, `${name}.yml`)
  await host.done('manifest', 'import', join(composeDir, `${name}.yml`), '--output', manifest)
  for (const file of besides[name] ?? []) copyFileSync(join(composeDir, file), join(host.dir, file))
  const text = readFileSync(manifest, 'utf8')
  const project = new Deployed(host, name)
  for (const [, key = ''] of text.matchAll(/\{\{ \.meta\.(\w+) \}\}|^ +meta: (\w+)$/gm))
    if (key !== '') await project.done('meta', 'set', key, variables[key] ?? 'text')
  for (const [, key = ''] of text.matchAll(/^ +meta: (\w+)$/gm))
    await project.done('meta', 'set', key, `the ${key}`, '--secret')
  for (const [, image = ''] of text.matchAll(/^ +image: (.+)$/gm)) {
    const named = image.replace(/\{\{ \.meta\.(\w+) \}\}/g, (_, key: string) => variables[key] ?? 'text')
    docker('tag', standIn, named)
  }
  await project.done('service', 'deploy', manifest)
  return project
}

/** Files that a Compose file names, which an import leaves where they are. */
const besides: Readonly<Record<string, readonly string[]>> = { equipment: ['equipment.conf'] }

test.each([
  ['anchors', ['web', 'worker', 'x-note']],
  ['environment', ['list', 'map', 'swarm']],
  ['equipment', ['app', 'store']],
  ['first-version', ['db', 'web']],
  ['healthchecks', ['bad', 'none', 'odd', 'off', 'open', 'shell', 'text', 'theirs', 'words']],
  ['interpolation', ['web']],
  ['jobs', ['debug', 'web']],
  ['limits', ['a', 'b', 'c', 'd', 'e']],
  [
    'names',
    [
      'a-name-that-is-much-longer-than-the-sixty-three-characters',
      'api-v2',
      'main-db',
      'my-web',
      'my-web-2',
      'service',
    ],
  ],
  ['shop', ['cache', 'db', 'web']],
  ['swarm', ['agent', 'web']],
])('%s runs as it is', async (name, running) => {
  const project = await deployed(name)
  const services = await project.json<readonly ServiceBody[]>('service', 'list')
  const healthy = services.filter(({ status, healthy: well }) => status === 'running' && well === 1)
  expect(healthy.map((service) => service.name).sort()).toEqual(running)
  // The rest is started by hand, or has been by what waits for it.
  expect(services.filter((service) => !healthy.includes(service)).map(({ status }) => status)).toEqual(
    services.length === running.length ? [] : ['idle'],
  )
  await sees[name]?.(project)
})

const MiB = 1024 ** 2
const environmentOf = async (project: Deployed, service: string): Promise<readonly string[]> =>
  (await project.told(service, 'env')).split('\n')
/** What another service answers to one, by a name of the Compose file. */
const answer = async (project: Deployed, from: string, url: string): Promise<string> => {
  let said = ''
  await until(async () => {
    said = await project.told(from, `wget -qO- ${url}`)
  })
  return said
}

/** What else is to be seen of one. */
const sees: Readonly<Record<string, (project: Deployed) => Promise<void>>> = {
  anchors: async (project) => {
    const found = await environmentOf(project, 'worker')
    expect(found).toEqual(expect.arrayContaining(['REGION=us', 'QUEUE=mail', 'SHARED=1']))
  },
  environment: async (project) => {
    const found = await environmentOf(project, 'map')
    expect(found).toEqual(
      expect.arrayContaining(['OCTAL=0755', 'VERSION=1.10', 'PRICE=$5', 'BRACES={{ not .a template }}']),
    )
  },
  equipment: async (project) => {
    const shown = 'cat /greeting /etc/app.conf /run/secrets/password; stat -c %a /etc/app.conf'
    expect((await project.told('app', shown)).split('\n')).toEqual([
      'hello, world',
      'colour = blue',
      'the password440',
    ])
    const { HostConfig } = await project.inspected('app')
    expect(HostConfig).toMatchObject({
      Memory: 64 * MiB,
      MemorySwap: 96 * MiB,
      NanoCpus: 2.5e8,
      PidsLimit: 40,
      ShmSize: 8 * MiB,
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      Ulimits: [{ Name: 'nofile', Soft: 256, Hard: 512 }],
    })
    // Of the program itself: `docker exec` of Docker 20.10 with runc 1.1.5 gives what it runs the hard limit.
    const limits = 'touch /scratch/x && ! touch /x 2>/dev/null && cat /proc/1/limits'
    expect(await project.told('app', limits)).toMatch(/^Max open files +256 +512 /m)
    // Of the user whom the image says, and kept when the container is replaced.
    await project.told('store', 'echo kept >/data/rows')
    const before = (await project.inspected('store')).Id
    await project.done('service', 'reprovision', 'store')
    await until(async () => expect(await project.told('store', 'cat /data/rows')).toBe('kept'))
    expect((await project.inspected('store')).Id).not.toBe(before)
  },
  'first-version': async (project) => {
    expect(await answer(project, 'web', 'http://db:8080/')).toBe('/bin/serve')
    expect((await project.inspected('db')).HostConfig.Memory).toBe(512 * MiB)
  },
  interpolation: async (project) => {
    expect(await project.told('web', 'id -u; id -g; cat /www/index.html')).toBe(
      '1000\n1000\n/bin/serve --region=text --debug=',
    )
    const { Config, HostConfig } = await project.inspected('web')
    expect([Config.User, HostConfig.Memory]).toEqual(['1000:1000', 32 * MiB])
  },
  jobs: async (project) => {
    expect(await project.done('service', 'logs', 'migrate', '--previous')).toContain('/bin/migrate')
  },
  limits: async (project) => {
    const memory = async (service: string) => (await project.inspected(service)).HostConfig.Memory
    expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(memory))).toEqual([
      ...[512 * MiB, 954 * MiB, 1536 * MiB],
      // What it asks for is less than Docker takes, or is none: the import has said so.
      ...[0, 0],
    ])
    const { Config, HostConfig } = await project.inspected('e')
    expect([Config.WorkingDir, HostConfig.Dns]).toEqual(['/srv', ['8.8.8.8']])
    expect(Config.Labels).toMatchObject({ a: '1', b: '', c: 'true' })
  },
  names: async (project) => {
    const url = (await environmentOf(project, 'my-web-2')).find((line) => line.startsWith('URL='))
    expect(url).toBe('URL=http://api-v2:8080/path')
    expect(await answer(project, 'my-web-2', 'http://api-v2:8080/')).toBe('/bin/serve')
    expect(await answer(project, 'my-web-2', 'http://main-db:8080/')).toBe('/bin/serve')
  },
  shop: async (project) => {
    await until(async () => expect(await ask(80)).toContain('serve'))
    const environment = await environmentOf(project, 'web')
    expect(environment).toContain('DATABASE_URL=postgres://shop:text@db:5432/shop')
    expect(await answer(project, 'web', 'http://db:8080/')).toBe('/bin/serve')
    expect(await answer(project, 'web', 'http://$CACHE_HOST:8080/')).toBe(
      '/bin/redis-server --save 60 1 --loglevel warning',
    )
    await project.told('db', 'echo kept >/var/lib/postgresql/data/rows')
    const before = (await project.inspected('db')).Id
    await project.done('service', 'reprovision', 'db')
    await until(async () =>
      expect(await project.told('db', 'cat /var/lib/postgresql/data/rows')).toBe('kept'),
    )
    expect((await project.inspected('db')).Id).not.toBe(before)
  },
  swarm: async (project) => {
    const { HostConfig } = await project.inspected('web')
    expect(HostConfig).toMatchObject({ Memory: 512 * MiB, NanoCpus: 5e8, PidsLimit: 100 })
  },
}
