// A host for end-to-end tests: a data directory, the real daemon on it, and the real command line against it.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { type Client, connect } from '../../src/client/io/client.js'
import type { EventBody, InstanceBody, ServiceBody } from '../../src/contract/contract.js'
import { type Program, type Run, type RunningProgram, useProgram } from '../cli/program.js'
import { removeDir } from '../remove-dir.js'
import { followEvents } from './follow-events.js'
import { endSupervisor } from './processes.js'

/** Where a host is: here with the embedded supervisor, unless told otherwise. */
export interface Place {
  readonly driver: string
  readonly env: Readonly<Record<string, string>>
  /** The host's directory as its programs see it, and as the test does. */
  readonly makeDir: () => { readonly inside: string; readonly outside: string }
  /** Removes what a host leaves there that outlives its services; none: nothing does. */
  readonly clear?: () => Promise<void>
}

const here: Place = {
  driver: 'process',
  env: {},
  makeDir: () => {
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-e2e-'))
    return { inside: dir, outside: dir }
  },
}

export interface Host {
  readonly dir: string
  readonly dataDir: string
  readonly endpoint: string
  /** The daemon's socket, as the test sees it. */
  readonly socketPath: string
  /** Looks without a process for each look: those would be most of what a test computes that looks again and again. */
  readonly client: Client
  /** Starts the daemon and waits until it is ready. Ends in `end` if it still runs. */
  startDaemon(...args: readonly string[]): Promise<RunningProgram>
  /** The same for one that will not be ready: resolves when it has said something. */
  startDaemonUntil(said: string, ...args: readonly string[]): Promise<RunningProgram>
  /** Runs a command to its end. */
  run(...args: readonly string[]): Promise<Run>
  /** The same, with something on its standard input. */
  feed(stdin: string, ...args: readonly string[]): Promise<Run>
  /** Runs a command that has to succeed. */
  done(...args: readonly string[]): Promise<Run>
  start(...args: readonly string[]): RunningProgram
  /** Writes a file into the host's directory and returns its path. */
  file(name: string, text: string): string
  /** The same, for its owner alone. */
  privateFile(name: string, text: string): string
  instances(service: string): Promise<readonly InstanceBody[]>
  service(name: string): Promise<ServiceBody | undefined>
  /** Follows the history until an event is as wanted. */
  sawEvent(service: string, wanted: (event: EventBody) => boolean, project?: string): Promise<EventBody>
}

/** A new host for each test of the file; what ran on it is gone after each. */
export function useHosts(): () => Host {
  return hostsOf(useProgram(), () => here)
}

/** The same, elsewhere. */
export function hostsOf(program: Program, place: () => Place): () => Host {
  const hosts: { end(): Promise<void> }[] = []
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.end()))
  })
  return () => {
    const host = openHost(program, place())
    hosts.push(host)
    return host
  }
}

function openHost(program: Program, place: Place): Host & { end(): Promise<void> } {
  const { inside: dir, outside } = place.makeDir()
  const dataDir = join(dir, 'data')
  const socket = join(dir, 'mariposa.sock')
  const endpoint = `unix://${socket}`
  const daemons = new Set<RunningProgram>()
  const seen = join(outside, 'mariposa.sock')
  const options = { env: { ...place.env, MARIPOSA_ENDPOINT: endpoint }, cwd: outside }

  const run = (...args: readonly string[]): Promise<Run> => program.run(args, options)
  const done = async (...args: readonly string[]): Promise<Run> => {
    const ended = await run(...args)
    if (ended.code !== 0)
      throw new Error(`${args.join(' ')}: exit ${ended.code}\n${ended.stdout}\n${ended.stderr}`)
    return ended
  }
  const launch = (...args: readonly string[]): RunningProgram => {
    const words = [
      'daemon',
      '--data-dir',
      dataDir,
      '--listen',
      `unix:${socket}`,
      '--driver',
      place.driver,
      ...args,
    ]
    const daemon = program.start(words, options)
    daemons.add(daemon)
    const forget = (): boolean => daemons.delete(daemon)
    daemon.ended.then(forget, forget)
    return daemon
  }
  const startDaemon = async (...args: readonly string[]): Promise<RunningProgram> => {
    const daemon = launch(...args)
    await daemon.said('is ready')
    await becomesReady(seen, daemon)
    return daemon
  }
  const client = connect({ kind: 'unix', path: seen })

  const deleteAll = async (): Promise<void> => {
    if (daemons.size === 0) await startDaemon().catch(() => {})
    // One that has no store takes nothing away.
    if (daemons.size === 0 || (await statusOf(seen, '/readyz')) !== 200) return
    const names = (await client.projects()).map(({ name }) => name)
    // Another host of the same cluster may have deleted it meanwhile.
    await Promise.all(names.map((name) => client.deleteProject(name, true).catch(() => {})))
    const giveUpAt = performance.now() + 20_000
    while (performance.now() < giveUpAt && (await client.projects()).length > 0)
      await new Promise((resolve) => setTimeout(resolve, 100))
    const units = await client.units()
    const own = units.filter(({ instance }) => instance === null).map(({ name }) => name)
    if (own.length > 0) await run('unit', 'destroy', ...own, '--timeout', '20s')
  }

  return {
    dir,
    dataDir,
    endpoint,
    socketPath: seen,
    client,
    startDaemon,
    startDaemonUntil: async (said, ...args) => {
      const daemon = launch(...args)
      await daemon.said(said)
      return daemon
    },
    run,
    feed: (stdin, ...args) => program.run(args, { ...options, stdin }),
    done,
    start: (...args) => program.start(args, options),
    file: (name, text) => {
      writeFileSync(join(outside, name), text)
      return join(dir, name)
    },
    privateFile: (name, text) => {
      writeFileSync(join(outside, name), text, { mode: 0o600 })
      return join(dir, name)
    },
    instances: (service) => client.instances('default', service),
    service: async (name) => (await client.services('default')).find((one) => one.name === name),
    sawEvent: (service, wanted, project = 'default') => sawEvent(seen, project, service, wanted),
    end: async () => {
      if (!endsWithSupervisor(place)) await deleteAll()
      for (const daemon of daemons) {
        daemon.signal('SIGTERM')
        await daemon.ended
      }
      endSupervisor(dataDir)
      removeDir(outside)
      await place.clear?.()
    },
  }
}

/** Whether nothing is left of a host but processes and files: the supervisor of root makes control groups. */
function endsWithSupervisor({ driver }: Place): boolean {
  return driver === 'process' && process.getuid?.() !== 0
}

/** Asks until a leader is there; the daemon takes the lead within moments of its start. */
async function becomesReady(socketPath: string, daemon: RunningProgram): Promise<void> {
  const gone = daemon.ended.then(() => 'gone' as const)
  for (;;) {
    const status = await Promise.race([gone, statusOf(socketPath, '/readyz')])
    if (status === 200) return
    if (status === 'gone') throw new Error('the daemon ended before it was ready')
  }
}

function statusOf(socketPath: string, path: string): Promise<number> {
  return new Promise((resolve) => {
    get({ socketPath, path }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    }).on('error', () => setTimeout(() => resolve(0), 20))
  })
}

/** What a daemon answers on its socket. */
export function askedOver(
  socketPath: string,
  path: string,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    get({ socketPath, path }, (response) => {
      response.setEncoding('utf8')
      response.toArray().then((parts) => {
        resolve({ status: response.statusCode ?? 0, text: parts.join('') })
      }, reject)
    }).on('error', reject)
  })
}

function sawEvent(
  socketPath: string,
  project: string,
  service: string,
  wanted: (event: EventBody) => boolean,
): Promise<EventBody> {
  return new Promise((resolve, reject) => {
    const following = followEvents(socketPath, `project=${project}&service=${service}`, (event) => {
      if (!wanted(event)) return
      resolve(event)
      following.then((end) => end(), reject)
    })
    following.catch(reject)
  })
}

/** The first word of what an HTTP server on this machine answers. */
export function ask(port: number, path = '/'): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve(text))
    }).on('error', reject)
  })
}

/** The host port of an instance's first published port. */
export function hostPort(instance: InstanceBody): number {
  return Number(instance.ports[0]?.split(':')[0])
}

/**
 * A web service: answers with its name and version, and on /break turns its checks bad. Node by its own path, since
 * programs get a clean environment. Nobody remembers its names, so that no stop waits for that.
 */
export function webManifest(version: string, more = '', retries = 2): string {
  const source = [
    'let broken = false',
    "const server = require('http').createServer((request, answer) => {",
    "  if (request.url === '/break') broken = true",
    "  answer.statusCode = broken && request.url === '/health' ? 500 : 200",
    "  answer.end(process.env.WHO + ' ' + process.env.VERSION)",
    '})',
    'server.listen(Number(process.env.PORT))',
    "process.on('SIGTERM', () => process.exit(0))",
    "console.log('listening on ' + process.env.PORT)",
  ].join('; ')
  return `compute_type: process
command: [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(source)}]
environment:
  WHO: "{{ .instance.name }}"
  VERSION: ${JSON.stringify(version)}
ports: ["0:8080"]
cns: {ttl: 0}
healthchecks:
  - {type: http, port: 8080, path: /health, poll: 1, timeout: 1, retries: ${retries}}
${more}`
}
