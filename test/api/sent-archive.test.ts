// Archives that come from another daemon, over a real connection.
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { sentArchive } from '../../src/api/io/sent-archive.js'
import { encodeFailure, failureHeader } from '../../src/contract/archive-failure.js'

/** Asks a server that answers so; what it answers with comes as well. */
async function asked(
  answer: (reply: ServerResponse) => void,
): Promise<{ readonly answer: IncomingMessage; readonly reply: ServerResponse }> {
  let reply: ServerResponse | null = null
  const server = createServer((_, sent) => {
    reply = sent
    answer(sent)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const request = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, agent: false })
  const [got] = (await once(request, 'response')) as [IncomingMessage]
  if (reply === null) throw new Error('nobody was asked')
  return { answer: got, reply }
}

test('one that is let go before anybody has read of it is no longer sent', async () => {
  const { answer, reply } = await asked((sent) => sent.write('the beginning'))
  const closed = once(reply, 'close')
  sentArchive(answer, 'north').destroy()
  await closed
  expect(reply.writableEnded).toBe(false)
})

test('one that breaks off fails with the reason of whoever sends it, a whole one does not', async () => {
  const whole = await asked((sent) => sent.end('all of it'))
  expect((await buffer(sentArchive(whole.answer, 'north'))).toString()).toBe('all of it')

  const failure = { code: 'volume/deleted', message: 'the volume is gone' }
  const broken = await asked((sent) => {
    sent.setHeader('trailer', failureHeader)
    sent.write('some of it')
    sent.addTrailers({ [failureHeader]: encodeFailure(failure) })
    sent.end()
  })
  await expect(buffer(sentArchive(broken.answer, 'north'))).rejects.toThrow('the volume is gone')

  const lost = await asked((sent) => sent.write('some of it', () => sent.destroy()))
  await expect(buffer(sentArchive(lost.answer, 'north'))).rejects.toMatchObject({
    problem: { code: 'volume/cut-off', message: expect.stringContaining('the daemon of north') },
  })
})

test('one that stalls ends as soon as it is destroyed, with the reason of that, and so does its connection', async () => {
  const { answer, reply } = await asked((sent) => sent.write('the beginning'))
  const closed = once(reply, 'close')
  const archive = sentArchive(answer, 'north')
  const read = buffer(archive)
  await once(archive, 'data')
  archive.destroy(new Error('too slow'))
  await expect(read).rejects.toThrow('too slow')
  await closed
})
