// A port that nobody listens on, for a program that has to be told one.
import { once } from 'node:events'
import { createServer } from 'node:net'

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
