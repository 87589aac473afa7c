// fleetctl as the daemon sees it: the bytes that Go's HTTP client and the client generated from fleet's schema write, and
// what these read of an answer. One connection, one request at a time.
import { connect, type NetConnectOpts, type Socket } from 'node:net'

/** How the first line of a request says what it asks for. Older clients write the whole URL there, newer ones its path. */
export type Dialect = 'whole URL' | 'path'

export interface Option {
  readonly name: string
  readonly section: string
  readonly value?: string
}

export interface UnitEntity {
  readonly currentState?: string
  readonly desiredState?: string
  readonly machineID?: string
  readonly name?: string
  readonly options?: readonly Option[]
}

export interface StateEntity {
  readonly hash?: string
  readonly machineID?: string
  readonly name?: string
  readonly systemdActiveState?: string
  readonly systemdLoadState?: string
  readonly systemdSubState?: string
}

export interface MachineEntity {
  readonly id?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly primaryIP?: string
}

export interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

export interface Fleetctl {
  /** Null for a unit that is not there: fleetctl goes by the status 404 alone. */
  unit(name: string): Promise<UnitEntity | null>
  /** All pages of a list, asked for until one brings no token. */
  units(): Promise<readonly UnitEntity[]>
  states(): Promise<readonly StateEntity[]>
  machines(): Promise<readonly MachineEntity[]>
  create(name: string, options: readonly Option[]): Promise<Answer>
  want(name: string, desiredState: string): Promise<Answer>
  destroy(name: string): Promise<Answer>
  /** Sends bytes as they are. */
  send(request: string): Promise<Answer>
  /** Every request up to now, as method and target. */
  readonly sent: readonly string[]
  close(): void
}

export async function openFleetctl(daemon: NetConnectOpts, dialect: Dialect): Promise<Fleetctl> {
  const socket = connect(daemon)
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  const sent: string[] = []
  const send = (request: string): Promise<Answer> => {
    sent.push(request.slice(0, request.indexOf(' HTTP/')))
    return exchange(socket, request)
  }
  const ask = (method: string, path: string, body?: UnitEntity): Promise<Answer> =>
    send(goRequest(dialect, method, path, body))
  const list = async <T>(path: string, field: string): Promise<readonly T[]> => {
    const entities: T[] = []
    let token = ''
    do {
      const query = token === '' ? '' : `&nextPageToken=${encodeURIComponent(token)}`
      const page = entityOf<Readonly<Record<string, unknown>>>(await ask('GET', `${path}?alt=json${query}`))
      entities.push(...((page[field] ?? []) as readonly T[]))
      token = typeof page['nextPageToken'] === 'string' ? page['nextPageToken'] : ''
    } while (token !== '')
    return entities
  }
  return {
    unit: async (name) => {
      const answer = await ask('GET', unitPath(name))
      return answer.status === 404 ? null : entityOf<UnitEntity>(answer)
    },
    units: () => list('units', 'units'),
    states: () => list('state', 'states'),
    machines: () => list('machines', 'machines'),
    create: (name, options) => ask('PUT', unitPath(name), { name, options }),
    want: (name, desiredState) => ask('PUT', unitPath(name), { desiredState, name }),
    destroy: (name) => ask('DELETE', unitPath(name)),
    send,
    sent,
    close: () => socket.destroy(),
  }
}

/** What fleetctl shows of a refusal; a status of 2xx is none, whatever the body. */
export function refusalIn({ status, text }: Answer): { code: number; message: string } | null {
  if (status >= 200 && status <= 299) return null
  return (JSON.parse(text) as { error: { code: number; message: string } }).error
}

function entityOf<T>(answer: Answer): T {
  const refusal = refusalIn(answer)
  if (refusal !== null) throw new Error(`googleapi: Error ${refusal.code}: ${refusal.message}`)
  return JSON.parse(answer.text) as T
}

/** Names are escaped as a query is: `@`, `:` and `\` too. */
function unitPath(name: string): string {
  return `units/${encodeURIComponent(name)}?alt=json`
}

/** A request as Go writes it: Host and User-Agent first, no length without a body, and gzip asked for last. */
export function goRequest(dialect: Dialect, method: string, path: string, body?: UnitEntity): string {
  const text = body === undefined ? '' : goJson(body)
  const head = [
    `${method} ${dialect === 'path' ? '' : 'http://domain-sock'}/fleet/v1/${path} HTTP/1.1`,
    'Host: domain-sock',
    'User-Agent: google-api-go-client/0.5',
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(text)}`]),
    ...(body === undefined ? [] : ['Content-Type: application/json']),
    'Accept-Encoding: gzip',
  ]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}

/** Go's encoder: keys in the order of the schema, empty texts left out, HTML's signs escaped, a line break at the end. */
function goJson({ desiredState, name, options }: UnitEntity): string {
  const listed = options?.map((option) => ({
    name: option.name,
    section: option.section,
    ...(option.value !== '' && { value: option.value }),
  }))
  const asEscape = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `${JSON.stringify({ desiredState, name, options: listed }).replace(/[<>&\u2028\u2029]/g, asEscape)}\n`
}

/** Sends a request and reads the answer to it. Fails where the connection ends: Go would have to open another. */
function exchange(socket: Socket, request: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let got = Buffer.alloc(0)
    const settle = (end: () => void): void => {
      socket.off('data', onData).off('close', onClose)
      end()
    }
    const onData = (bytes: Buffer): void => {
      got = Buffer.concat([got, bytes])
      const answer = readAnswer(got)
      if (answer === 'unreadable') settle(() => reject(new Error(`no answer for Go: ${got.toString()}`)))
      else if (answer !== null) settle(() => resolve(answer))
    }
    const onClose = (): void => settle(() => reject(new Error('the connection was closed')))
    socket.on('data', onData).on('close', onClose)
    socket.write(request)
  })
}

/** The answer, once it is whole; null before. It has to say how long it is, and nothing may follow it. */
function readAnswer(got: Buffer): Answer | 'unreadable' | null {
  const end = got.indexOf('\r\n\r\n')
  if (end === -1) return null
  const [first = '', ...lines] = got.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  const headers = new Map(lines.map((line) => toHeader(line)))
  const length = status === 204 ? 0 : Number(headers.get('content-length'))
  const body = got.subarray(end + 4)
  if (!Number.isInteger(length) || body.length > length)
    throw new Error(`no answer for Go: ${got.toString()}`)
  return body.length < length ? null : { status, headers, text: body.toString('utf8') }
}

function toHeader(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
