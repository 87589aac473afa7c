// One address that is answered on, over UDP and TCP.
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { DnsAddress } from '../resolv-conf.js'
import type { Transport } from './forward.js'
import { framed, MessageReader } from './frames.js'

/** The answer to a packet; null for what gets none. */
export type Respond = (
  packet: Buffer,
  from: string,
  transport: Transport,
) => Buffer | null | Promise<Buffer | null>

export interface Door {
  readonly address: DnsAddress
  close(): Promise<void>
}

/** Connections at a time, and how long one may keep silent (RFC 7766 asks for some seconds). */
const connectionsAtMost = 256
const idleMs = 10_000
/** Questions of one connection that are answered at a time, and bytes of answers that it may leave unread. */
const askedAtMost = 64
const unreadAtMost = 1024 ** 2
/** A port that is chosen for UDP may be taken for TCP. */
const portsTried = 20

/** Opens both at one address and port. Throws what the system says where it cannot be had. */
export async function openDoor(address: DnsAddress, respond: Respond): Promise<Door> {
  for (let tries = 1; ; tries++) {
    const udp = await openUdp(address, respond)
    const { port } = udp.address()
    try {
      const tcp = await openTcp({ ...address, port }, respond)
      return { address: { host: address.host, port }, close: () => closeBoth(udp, tcp) }
    } catch (error) {
      udp.close()
      if (address.port !== 0 || tries === portsTried) throw error
    }
  }
}

/** What comes while the daemon is busy waits in the kernel; it gives no more of this than the host allows. */
const heldBytes = 1 << 20

async function openUdp({ host, port }: DnsAddress, respond: Respond): Promise<UdpSocket> {
  const isSix = host.includes(':')
  const type = isSix ? 'udp6' : 'udp4'
  const socket = createSocket({ type, recvBufferSize: heldBytes, ...(isSix && { ipv6Only: true }) })
  socket.bind({ address: host, port, exclusive: true })
  await once(socket, 'listening').catch((error: unknown) => {
    // Node keeps the descriptor of one that cannot be bound.
    socket.close()
    throw error
  })
  // What is sent to who has gone comes back as an error, and is nobody's.
  socket.on('error', () => {})
  socket.on('message', (packet, { address, port: back }) => {
    const send = (answer: Buffer | null): void => {
      if (answer !== null) socket.send(answer, back, address, () => {})
    }
    handle(respond(packet, address, 'udp'), (answer) => {
      try {
        send(answer)
      } catch {
        // The socket was closed while somebody else was asked.
      }
    })
  })
  return socket
}

async function openTcp({ host, port }: DnsAddress, respond: Respond): Promise<Server & ServerConnections> {
  const connections = new Set<Socket>()
  const server = createServer((socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
    answerConnection(socket, respond)
  })
  server.maxConnections = connectionsAtMost
  server.listen({ host, port, exclusive: true, ...(host.includes(':') && { ipv6Only: true }) })
  await once(server, 'listening')
  server.on('error', () => {})
  return Object.assign(server, { connections })
}

interface ServerConnections {
  readonly connections: ReadonlySet<Socket>
}

function answerConnection(socket: Socket, respond: Respond): void {
  const from = socket.remoteAddress ?? ''
  const reader = new MessageReader()
  let asked = 0
  socket.setNoDelay(true)
  socket.setTimeout(idleMs, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    for (const packet of reader.read(chunk)) {
      asked += 1
      handle(respond(packet, from, 'tcp'), (answer) => {
        asked -= 1
        if (answer === null || socket.writableLength > unreadAtMost) socket.destroy()
        else if (socket.writable) socket.write(framed(answer))
        if (asked < askedAtMost) socket.resume()
      })
    }
    if (asked >= askedAtMost) socket.pause()
  })
}

/** What is known at once is answered at once; a failure is no answer. */
function handle(answer: Buffer | null | Promise<Buffer | null>, send: (answer: Buffer | null) => void): void {
  if (answer instanceof Promise) answer.then(send, () => send(null))
  else send(answer)
}

async function closeBoth(udp: UdpSocket, tcp: Server & ServerConnections): Promise<void> {
  const closed = [once(udp, 'close'), once(tcp, 'close')]
  udp.close()
  tcp.close()
  for (const connection of tcp.connections) connection.destroy()
  await Promise.all(closed)
}
