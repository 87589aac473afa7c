// A server whose requests fail in every way that no handler catches. Its first line says where it listens.
import { EventEmitter } from 'node:events'
import { type AddressInfo, createConnection } from 'node:net'
import { fastify } from 'fastify'
import { requestFaults, scopeRequests } from '../../../src/api/io/request-scope.js'
import { InvariantError } from '../../../src/lib/invariant.js'
import { lineLog } from '../../../src/lib/io/log.js'
import { guardProcess } from '../../../src/main/uncaught-errors.js'

const later = (work: () => void): Promise<never> => new Promise(() => setTimeout(work, 1))
const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  timer: () =>
    later(() => {
      throw new Error('thrown by a timer')
    }),
  promise: () =>
    later(() => {
      // oxlint-disable-next-line typescript/no-floating-promises
      Promise.reject(new Error('refused by a promise'))
    }),
  emitter: () => later(() => new EventEmitter().emit('error', new Error('told by an emitter'))),
  socket: () => later(() => createConnection('/no/such/socket')),
  invariant: () =>
    later(() => {
      throw new InvariantError('something does not hold')
    }),
}

guardProcess({ log: lineLog((line) => process.stdout.write(line)), end: () => process.exit(1) })
const server = fastify()
scopeRequests(server)
server.get('/faults', () => Promise.resolve(String(requestFaults())))
server.get<{ Params: { way: string } }>('/fail/:way', ({ params }) => ways[params.way]?.())
await server.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${(server.server.address() as AddressInfo).port}\n`)
if (process.argv[2] === 'by itself')
  setTimeout(() => {
    throw new Error('nobody asked for it')
  }, 1)
