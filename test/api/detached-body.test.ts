// The body of a request that is not waited for any longer.
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { detachedBody } from '../../src/api/io/streams.js'

test('it has all of the body', async () => {
  const body = new PassThrough()
  const detached = detachedBody(body)
  body.end('all of it')
  expect(await text(detached)).toBe('all of it')
})

test('whoever reads it is told at once that it is given up, and the connection is left alone', async () => {
  const body = new PassThrough()
  const detached = detachedBody(body)
  body.write('some')
  const reading = text(detached)
  detached.destroy(new Error('too slow'))
  await expect(reading).rejects.toThrow('too slow')
  expect(body.destroyed).toBe(false)
  // What still comes is dropped.
  body.end('more')
  await once(body, 'end')
})

test('a caller who goes in the middle is no end of the body', async () => {
  const body = new PassThrough()
  const reading = text(detachedBody(body))
  body.write('some')
  body.destroy()
  await expect(reading).rejects.toThrow()
})
