// A registry of one image on the loopback, as small as Docker's pull allows, for what depends on a registry's answer.
import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { removeDir } from '../remove-dir.js'

export interface TestRegistry {
  /** `localhost:<port>`: Docker speaks plain HTTP to it. */
  readonly host: string
  /** The one image that it has. */
  readonly image: string
  /** How often the image's manifest was asked for. */
  readonly pulls: () => number
  /** The `Authorization` headers that came. */
  readonly authorizations: readonly string[]
  /** The digest that the tag means now. */
  readonly digest: () => string
  /** Lets the tag mean another image; the one before can still be had by its digest. */
  readonly publish: (mark: string) => void
  /** What goes wrong from now on; null for nothing. What is stalled already stays so; what was held up goes on. */
  readonly fail: (fault: Fault | null) => void
  /** Resolves when layers are stalled or held up in the middle, for so many clients, and they wait for the rest. */
  readonly stalled: (clients?: number) => Promise<void>
  readonly stop: () => Promise<void>
}

/** A manifest that is answered with an error, or a layer that comes to a halt, is held up or is cut in the middle. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'stall' }
  | { readonly kind: 'hold' }
  | { readonly kind: 'cut' }

/** Starts a registry that has `<host>/app:1`: busybox, linked as `sh` and `sleep`. */
export async function startRegistry({
  password,
}: {
  readonly password?: string
} = {}): Promise<TestRegistry> {
  const contents = new Map<string, Content>()
  // No Docker has any of it yet, whatever it fetched from another registry of the tests: neither image nor layer.
  const id = randomUUID()
  const layer = layerOf(id)
  const publish = (mark: string): void => {
    for (const [name, content] of imageContents(layer, { mark, id })) contents.set(name, content)
  }
  const authorizations: string[] = []
  let pulls = 0
  let fault: Fault | null = null
  let stalls = 0
  const changes = new EventEmitter()
  const server = createServer((request, response) => {
    const { authorization } = request.headers
    if (authorization !== undefined) authorizations.push(authorization)
    if (password !== undefined && passwordOf(authorization) !== password) return refuse(response)
    if (request.method === 'GET' && /\/manifests\//.test(request.url ?? '')) pulls += 1
    if (fault === null || !isMet(fault, contents, request)) return answer(contents, request, response)
    if (fault.kind === 'status') return refuseWith(response, fault)
    const { bytes } = contents.get(nameIn(request)) as Content
    response.writeHead(200, { 'content-length': bytes.length, 'content-type': 'application/octet-stream' })
    if (fault.kind === 'cut')
      return void response.write(bytes.subarray(0, half(bytes)), () => response.destroy())
    response.write(bytes.subarray(0, half(bytes)))
    if (fault.kind === 'hold') changes.once('other', () => response.end(bytes.subarray(half(bytes))))
    stalls += 1
    changes.emit('stall')
  })

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  publish('first')
  const host = `localhost:${(server.address() as AddressInfo).port}`
  return {
    host,
    image: `${host}/app:1`,
    pulls: () => pulls,
    authorizations,
    digest: () => digestOf(contents.get('1')?.bytes ?? Buffer.alloc(0)),
    publish,
    fail: (next) => {
      fault = next
      changes.emit('other')
    },
    stalled: async (clients = 1) => {
      while (stalls < clients) await once(changes, 'stall')
    },
    stop: async () => await close(server),
  }
}

interface Content {
  readonly type: string
  readonly bytes: Buffer
}

/** busybox as `sh`, and a file that no other layer has. */
function layerOf(id: string): Buffer {
  const dir = mkdtempSync(join(tmpdir(), 'layer-'))
  try {
    writeFileSync(join(dir, 'registry'), id)
    const links = ['--transform', 's,^busybox$,bin/sh,', 'busybox', '-C', dir, 'registry']
    return execFileSync('tar', ['-C', '/bin', '-cz', ...links], { maxBuffer: 2 ** 26 })
  } finally {
    removeDir(dir)
  }
}

/** The image's parts by digest, and its manifest by tag too. */
function imageContents(
  layer: Buffer,
  labels: Readonly<Record<string, string>>,
): ReadonlyMap<string, Content> {
  const config = Buffer.from(
    JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      config: { Cmd: ['/bin/sh', '-c', 'exec busybox sleep 1000'], Labels: labels },
      rootfs: { type: 'layers', diff_ids: [digestOf(gunzipSync(layer))] },
    }),
  )
  const docker = 'application/vnd.docker'
  const types = {
    manifest: `${docker}.distribution.manifest.v2+json`,
    config: `${docker}.container.image.v1+json`,
    layer: `${docker}.image.rootfs.diff.tar.gzip`,
  }
  const part = (mediaType: string, bytes: Buffer) => ({
    mediaType,
    size: bytes.length,
    digest: digestOf(bytes),
  })
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: types.manifest,
      config: part(types.config, config),
      layers: [part(types.layer, layer)],
    }),
  )
  return new Map([
    ['1', { type: types.manifest, bytes: manifest }],
    [digestOf(manifest), { type: types.manifest, bytes: manifest }],
    [digestOf(config), { type: 'application/octet-stream', bytes: config }],
    [digestOf(layer), { type: 'application/octet-stream', bytes: layer }],
  ])
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

function isMet({ kind }: Fault, contents: ReadonlyMap<string, Content>, request: IncomingMessage): boolean {
  if (kind === 'status') return /\/manifests\//.test(request.url ?? '')
  // The layer is by far the largest of the parts.
  return request.method === 'GET' && (contents.get(nameIn(request))?.bytes.length ?? 0) > 100_000
}

function half(bytes: Buffer): number {
  return Math.floor(bytes.length / 2)
}

function refuseWith(response: ServerResponse, { status, headers }: Extract<Fault, { kind: 'status' }>): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  const code = status === 429 ? 'TOOMANYREQUESTS' : 'UNKNOWN'
  response.end(JSON.stringify({ errors: [{ code, message: 'not now' }] }))
}

/** The digest or tag that a request asks for. */
function nameIn({ url = '' }: IncomingMessage): string {
  return /^\/v2\/app\/(?:manifests|blobs)\/(.+)$/.exec(url)?.[1] ?? ''
}

function answer(
  contents: ReadonlyMap<string, Content>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = request.url ?? ''
  if (url === '/v2/') return void response.end('{}')
  const content = contents.get(nameIn(request))
  if (content === undefined) {
    response.writeHead(404, { 'content-type': 'application/json' })
    return void response.end(
      JSON.stringify({ errors: [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' }] }),
    )
  }
  response.writeHead(200, {
    'content-type': content.type,
    'content-length': content.bytes.length,
    'docker-content-digest': digestOf(content.bytes),
  })
  response.end(request.method === 'HEAD' ? undefined : content.bytes)
}

function refuse(response: ServerResponse): void {
  response.writeHead(401, { 'www-authenticate': 'Basic realm="test"', 'content-type': 'application/json' })
  response.end(JSON.stringify({ errors: [{ code: 'UNAUTHORIZED', message: 'authentication required' }] }))
}

/** The password of an `Authorization` header; null without one. */
function passwordOf(header: string | undefined): string | null {
  const [, base64] = /^Basic (.+)$/.exec(header ?? '') ?? []
  return base64 === undefined
    ? null
    : Buffer.from(base64, 'base64')
        .toString()
        .replace(/^[^:]*:/, '')
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
