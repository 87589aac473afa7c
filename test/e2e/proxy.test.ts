// The network of the tests itself: what was sent before an end arrives before it, whatever the link does to it.
import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Network, openProxy } from '../machines/proxy.js'

const size = 3_000_000

test.each<[string, (link: Network) => void]>([
  ['an open link', () => {}],
  ['a link with a delay', (link) => link.delay(100)],
  ['a narrow link', (link) => link.limit(10_000_000)],
])(
  '%s passes an end on after all that was sent before it, and leaves the other direction open',
  async (_, change) => {
    const { link, near, far } = await connected()
    change(link)
    near.end(Buffer.alloc(size, 1))
    expect(await lengthOf(far)).toBe(size)
    far.end(Buffer.alloc(size, 2))
    expect(await lengthOf(near)).toBe(size)
  },
)

test('a side that ends both directions at once loses nothing either', async () => {
  const { link, near, far } = await connected()
  link.delay(100)
  near.write(Buffer.alloc(1000, 1))
  near.destroySoon()
  expect(await lengthOf(far)).toBe(1000)
})

test('a side that breaks off breaks the other off', async () => {
  const { link, near, far } = await connected()
  link.delay(50)
  const broken = once(far, 'error')
  near.resetAndDestroy()
  far.resume()
  expect(String(await broken)).toContain('ECONNRESET')
})

test('a link that is cut while it holds something loses it, and refuses until it is healed', async () => {
  const { link, near, far } = await connected()
  link.delay(60_000)
  const came = lengthOf(far)
  near.on('error', () => {})
  near.end('lost')
  await once(near, 'finish')
  link.cut()
  expect(await came).toBe(0)
  const refused = createConnection(link.port, '127.0.0.1')
  await once(refused, 'error')
  link.heal()
  const again = createConnection(link.port, '127.0.0.1')
  await once(again, 'connect')
  again.destroy()
})

/** Two ends of a connection over a link. */
async function connected(): Promise<{ link: Network; near: Socket; far: Socket }> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const link = await openProxy((server.address() as { port: number }).port)
  const arrival = once(server, 'connection') as Promise<[Socket]>
  const near = createConnection({ port: link.port, host: '127.0.0.1', allowHalfOpen: true })
  const [far] = await arrival
  onTestFinished(async () => {
    near.destroy()
    far.destroy()
    server.close()
    await link.close()
  })
  return { link, near, far }
}

/** How much comes until the end, or until the connection breaks. */
async function lengthOf(socket: Socket): Promise<number> {
  let length = 0
  socket.on('data', (data: Buffer) => {
    length += data.length
  })
  socket.on('error', () => {})
  await Promise.race([once(socket, 'end'), once(socket, 'close')])
  return length
}
