// Writing and reading objects, against a server that checks every signature by itself.
import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginUpload, readObject, readSum } from '../../src/s3/io/objects.js'
import { abortUploads, etagOfObject } from '../../src/s3/io/stored.js'
import type { S3Account } from '../../src/s3/location.js'
import { parseSum } from '../../src/s3/sum.js'
import { freePort } from '../free-port.js'
import { type Asked, account as known, openS3Server, type S3Server } from './server.js'

let server: S3Server
let account: S3Account
const { signal } = new AbortController()

beforeEach(async () => {
  server = await openS3Server(['vault'])
  account = { ...known, endpoint: server.url, sessionToken: null }
})
afterEach(async () => await server.close())

const location = { bucket: 'vault', key: "a b/c+d=(é)!'*/~db.tar.zst" }
const name = `${location.bucket}/${location.key}`
const mb = 1024 ** 2

async function* inChunks(bytes: Buffer, size = 100_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function upload(bytes: Buffer, as = account): Promise<void> {
  const begun = await beginUpload(as, location, signal)
  await begun.send(inChunks(bytes))
  await begun.finish(createHash('sha256').update(bytes).digest('hex'))
}

const sumOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** What a restore makes of the checksum. */
async function besideNow(): Promise<unknown> {
  return await readSum(account, location, await etagOfObject(account, location, signal), signal)
}

async function download(): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readObject(account, location, signal)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test.each([
  ['of one part', 1000, 1],
  ['of exactly two parts', 16 * mb, 2],
  ['of three parts', 20 * mb, 3],
])('an object %s comes back as it was, with its checksum beside it', async (_, size, parts) => {
  const bytes = randomBytes(size)
  await upload(bytes)
  expect(server.asked.filter((line) => line.includes('partNumber'))).toHaveLength(parts)
  expect(server.objects.get(name)?.equals(bytes)).toBe(true)
  expect((await download()).equals(bytes)).toBe(true)
  const sum = sumOf(bytes)
  const etag = (await etagOfObject(account, location, signal))?.replaceAll('"', '')
  expect(server.objects.get(`${name}.sha256`)?.toString()).toBe(`${sum}  ~db.tar.zst\n# ETag ${etag}\n`)
  expect(await besideNow()).toEqual({ kind: 'own', sha256: sum })
  expect(server.uploads.size).toBe(0)
})

test('a part that the server could not take, or whose answer is lost, is sent again', async () => {
  let faults = 0
  server.intercept = ({ query }) => {
    if (!query.has('partNumber') || faults === 2) return null
    faults += 1
    return faults === 1 ? 'cut' : { status: 503, body: '<Error><Code>SlowDown</Code></Error>' }
  }
  const bytes = randomBytes(9 * mb)
  await upload(bytes)
  expect([faults, server.objects.get(name)?.equals(bytes)]).toEqual([2, true])
})

const isPart = ({ query }: Asked): boolean => query.has('partNumber')
const isList = ({ method, query }: Asked): boolean => method === 'GET' && query.has('uploads')

test.each([
  ['is cut', () => 'cut' as const, 's3/unreachable'],
  ['breaks off in its answer', () => 'half' as const, 's3/unreachable'],
  ['answers 500', () => ({ status: 500 }), 's3/failed'],
  ['is too busy', () => ({ status: 503, body: '<Error><Code>SlowDown</Code></Error>' }), 's3/failed'],
])(
  'a server that %s at the last part is asked a few times, and nothing is put together',
  async (_, answer, code) => {
    const begun = await beginUpload(account, location, signal)
    server.intercept = (asked) => (isPart(asked) && asked.query.get('partNumber') === '3' ? answer() : null)
    await expect(begun.send(inChunks(randomBytes(20 * mb)))).rejects.toMatchObject({ code })
    expect(server.asked.filter((line) => line.includes('partNumber=3'))).toHaveLength(4)
    expect([server.objects.size, server.uploads.size]).toEqual([0, 1])
    await begun.cancel()
    expect([server.objects.size, server.uploads.size]).toEqual([0, 0])
  },
)

test.each(['cut', 'half', 'lost'] as const)(
  'an upload is made although each answer is %s once',
  async (fault) => {
    const seen = new Set<string>()
    server.intercept = ({ method, path, query }) => {
      const key = `${method} ${path} ${query.get('partNumber')} ${query.has('uploads')}`
      if (seen.has(key)) return null
      seen.add(key)
      return fault
    }
    const bytes = randomBytes(9 * mb)
    await upload(bytes)
    server.intercept = () => null
    expect((await download()).equals(bytes)).toBe(true)
    expect(await besideNow()).toEqual({ kind: 'own', sha256: sumOf(bytes) })
  },
)

test.each([
  ['is cut', '<?xml version="1.0"?>\n<ListMultipartUploadsResult><Bucket>vault</Bucket><Upl'],
  ['is none', '<html>sign in</html>'],
  ['is empty', ''],
])('a list of uploads that %s does not say that there are none', async (_, body) => {
  const begun = await beginUpload(account, location, signal)
  server.intercept = (asked) => (isList(asked) ? { status: 200, body } : null)
  await expect(abortUploads(account, location, signal)).rejects.toMatchObject({
    code: 's3/failed',
    message: expect.stringContaining('incomplete'),
  })
  server.intercept = () => null
  await abortUploads(account, location, signal)
  expect(server.uploads.size).toBe(0)
  await begun.cancel()
})

test('what is cancelled leaves nothing, and what was there before as it was', async () => {
  await upload(Buffer.from('old'))
  const begun = await beginUpload(account, location, signal)
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield* inChunks(randomBytes(9 * mb))
    throw new Error('it broke off')
  }
  await expect(begun.send(broken())).rejects.toThrow('it broke off')
  expect(server.uploads.size).toBe(1)
  await begun.cancel()
  expect(server.uploads.size).toBe(0)
  expect((await download()).toString()).toBe('old')
})

const isCompletion = ({ method, query }: Asked): boolean => method === 'POST' && query.has('uploadId')

test.each([
  [200, 'InternalError', 'not put together: InternalError'],
  [500, 'InternalError', 'answers 500'],
])(
  'an upload that is put together with status %d and an error leaves what was there, with its checksum',
  async (status, code, message) => {
    await upload(Buffer.from('old'))
    const failing = async (): Promise<void> => {
      server.intercept = (asked) =>
        isCompletion(asked) ? { status, body: `<Error><Code>${code}</Code></Error>` } : null
      await expect(upload(Buffer.from('new'))).rejects.toThrow(message)
      server.intercept = () => null
      expect((await download()).toString()).toBe('old')
      expect(await besideNow()).toEqual({ kind: 'own', sha256: sumOf('old') })
    }
    await failing()
    // As the versions before wrote it, and sha256sum.
    server.objects.set(`${name}.sha256`, Buffer.from(`${sumOf('old')}  ~db.tar.zst\n`))
    await failing()
  },
)

test('a checksum that could not be written is said, and that of before is not taken for it', async () => {
  await upload(Buffer.from('old'))
  server.objects.set(`${name}.sha256`, Buffer.from(`${sumOf('old')}  ~db.tar.zst\n`))
  let completed = false
  server.intercept = (asked) => {
    completed ||= isCompletion(asked)
    return completed && asked.method === 'PUT' ? { status: 507 } : null
  }
  await expect(upload(Buffer.from('new'))).rejects.toThrow(
    `the object is whole, and its checksum (SHA-256 ${sumOf('new')}) could not be written`,
  )
  expect((await download()).toString()).toBe('new')
  expect(await besideNow()).toEqual({ kind: 'foreign', sha256: sumOf('old') })
})

test('of two backups to one object at once neither is called damaged, in whatever order they end', async () => {
  const [one, two] = await Promise.all([
    beginUpload(account, location, signal),
    beginUpload(account, location, signal),
  ])
  await one.send(inChunks(Buffer.from('one')))
  await two.send(inChunks(Buffer.from('two')))
  let ended = Promise.resolve()
  let inBetween = false
  // Between the first one's object and its checksum comes the whole of the second one.
  server.after = async ({ method, query }) => {
    if (inBetween || method !== 'POST' || !query.has('uploadId')) return
    inBetween = true
    ended = two.finish(sumOf('two'))
    await ended
  }
  await one.finish(sumOf('one'))
  await ended
  expect((await download()).toString()).toBe('two')
  expect(await besideNow()).toEqual({ kind: 'foreign', sha256: sumOf('one') })
})

test('an upload whose last answer is lost has been done, which its object knows', async () => {
  await upload(Buffer.from('old'))
  let lost = 0
  server.intercept = (asked) => (isCompletion(asked) && lost++ === 0 ? 'lost' : null)
  await upload(Buffer.from('new'))
  expect(lost).toBe(2)
  expect((await download()).toString()).toBe('new')
  expect(await besideNow()).toEqual({ kind: 'own', sha256: sumOf('new') })
})

test.each([
  ['there was nothing', false, 'there is no object'],
  ['there was another object', true, 'the object is another one'],
])(
  'an upload that is gone is said to have left nothing where %s, and is cancelled',
  async (_, before, told) => {
    if (before) await upload(Buffer.from('old'))
    const begun = await beginUpload(account, location, signal)
    await begun.send(inChunks(Buffer.from('new')))
    const other = server.uploads as Map<string, unknown>
    other.clear()
    await expect(begun.finish(sumOf('new'))).rejects.toMatchObject({
      code: 's3/no-upload',
      message: expect.stringContaining(`${told}: nothing of this backup is left`),
    })
    await begun.cancel()
    expect(server.objects.has(name)).toBe(before)
  },
)

test('an object that is replaced before it is read is not read', async () => {
  await upload(Buffer.from('old'))
  const etag = await etagOfObject(account, location, signal)
  await upload(Buffer.from('new'))
  const reading = readObject(account, location, signal, etag)
  await expect(reading.next()).rejects.toThrow('was replaced while it was to be read')
})

test('an object that breaks off while it is read is an error', async () => {
  server.intercept = () => 'half'
  await expect(download()).rejects.toMatchObject({ code: 's3/unreachable' })
})

test('an object that stalls while it is read is an error, and no reader is too slow for it', async () => {
  const bytes = randomBytes(2 * mb)
  server.objects.set(name, bytes)
  const impatient = { ...account, silentMs: 400 }
  const reading = readObject(impatient, location, signal)
  const first = await reading.next()
  await new Promise((resolve) => setTimeout(resolve, 1200))
  let read = first.value?.length ?? 0
  for await (const chunk of reading) read += chunk.length
  expect(read).toBe(bytes.length)

  server.intercept = () => 'stall'
  const stalled = async (): Promise<void> => {
    for await (const _ of readObject(impatient, location, signal));
  }
  await expect(stalled()).rejects.toMatchObject({
    code: 's3/unreachable',
    message: expect.stringContaining('no data for 0.4 s'),
  })
})

test.each([
  ['an answer that is read as text', 200],
  ['a refusal', 403],
  ['a refusal for the moment', 503],
])('%s that stalls is given up, after a few tries', async (_, status) => {
  server.objects.set(name, Buffer.from('x'))
  server.objects.set(`${name}.sha256`, Buffer.from(sumOf('x')))
  const body = '<Error><Code>AccessDenied</Code></Error>'
  server.intercept = () => ({ status, body, stalls: true })
  await expect(readSum({ ...account, silentMs: 200 }, location, null, signal)).rejects.toMatchObject({
    code: 's3/unreachable',
    message: expect.stringContaining('no data for 0.2 s'),
  })
  expect(server.asked).toHaveLength(4)
})

test('an object without a checksum beside it has none, and what is beside it and is none is not taken for that', async () => {
  server.objects.set(name, Buffer.from('x'))
  expect(await besideNow()).toEqual({ kind: 'none' })
  for (const text of ['no checksum', '', `${sumOf('x')}0`]) {
    server.objects.set(`${name}.sha256`, Buffer.from(text))
    expect(await besideNow()).toEqual({ kind: 'unreadable' })
  }
  for (const text of [sumOf('x').toUpperCase(), `\\${sumOf('x')}  a\\nb\n`, `SHA256 (a b) = ${sumOf('x')}\n`])
    expect(parseSum(text)).toEqual({ sha256: sumOf('x'), etag: null })
})

test('a checksum that may not be looked for is an error that names the right to list', async () => {
  server.objects.set(name, Buffer.from('x'))
  server.intercept = ({ path }) =>
    path.endsWith('.sha256') ? { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' } : null
  await expect(besideNow()).rejects.toMatchObject({
    code: 's3/denied',
    hint: expect.stringMatching(/s3:ListBucket.*--sha256/),
  })
  await expect(upload(Buffer.from('y'))).rejects.toThrow('the object is whole')
})

test.each<[string, Partial<S3Account>, { code: string; message: string }]>([
  ['access key', { accessKeyId: 'other' }, { code: 's3/denied', message: 'knows no such access key' }],
  ['secret', { secretAccessKey: 'other' }, { code: 's3/denied', message: 'the secret key is not that' }],
  ['region', { region: 'us-east-1' }, { code: 's3/wrong-region', message: 'not in the region us-east-1' }],
])('another %s is refused', async (_, other, { code, message }) => {
  const wanted = { code, message: expect.stringContaining(message) }
  await expect(beginUpload({ ...account, ...other }, location, signal)).rejects.toMatchObject(wanted)
  await expect(etagOfObject({ ...account, ...other }, location, signal)).rejects.toMatchObject(wanted)
})

test('a bucket or an object that is not there is named', async () => {
  const other = { bucket: 'other', key: 'x' }
  await expect(beginUpload(account, other, signal)).rejects.toMatchObject({ code: 's3/no-bucket' })
  await expect(etagOfObject(account, other, signal)).rejects.toMatchObject({ code: 's3/no-bucket' })
  await expect(etagOfObject(account, location, signal)).rejects.toMatchObject({ code: 's3/no-object' })
})

test('a server that is not there is said after a few tries, and what ends the work ends the tries', async () => {
  const nowhere = { ...account, endpoint: `http://127.0.0.1:${await freePort()}` }
  await expect(beginUpload(nowhere, location, signal)).rejects.toMatchObject({
    code: 's3/unreachable',
    message: expect.stringContaining('ECONNREFUSED'),
  })
  server.intercept = () => 'hang'
  const over = new AbortController()
  const begun = beginUpload(account, location, over.signal)
  over.abort()
  await expect(begun).rejects.toThrow('abort')
})

test('a session token is sent and signed', async () => {
  // The server refuses headers of Amazon's that are not signed.
  await upload(Buffer.from('x'), { ...account, sessionToken: 'token+/=' })
  expect(server.objects.has(name)).toBe(true)
})
