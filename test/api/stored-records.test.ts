// Records as they are stored hold the text of each manifest, with the secrets of trigger URLs that stand in it.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildServer } from '../../src/api/io/server.js'
import { noDoors } from '../../src/api/io/startup-server.js'
import { openSecretBox } from '../../src/store/io/secret-box.js'
import { deploy, openLocalApi } from './local-api.js'

const secret = '0123456789abcdef0123456789abcdef'
const tokens = [
  { role: 'read', text: 'r'.repeat(16) },
  { role: 'write', text: 'w'.repeat(16) },
] as const

let local: FastifyInstance
let overTcp: FastifyInstance

beforeEach(async () => {
  const keyFile = join(mkdtempSync(join(tmpdir(), 'mariposa-records-')), 'key')
  const secrets = openSecretBox({ keyFile, inUse: () => false })
  const api = await openLocalApi(undefined, { secrets })
  local = api.server
  await deploy(local, ['web'], `triggers:\n  - name: go\n    secret: ${secret}\n    action: start\n`)
  const address = { kind: 'unix', path: '/nowhere' } as const
  const access = { tls: null, tokens: () => tokens, open: false }
  overTcp = buildServer(api.context, address, access, { local: false }, noDoors)
})

afterEach(async () => {
  await Promise.all([local.close(), overTcp.close()])
})

async function asked(
  url: string,
  { role, method = 'GET' }: { role: 'read' | 'write'; method?: 'GET' | 'HEAD' },
) {
  const token = tokens.find((one) => one.role === role)?.text ?? ''
  const { statusCode, payload } = await overTcp.inject({
    ...{ method, url, headers: { authorization: `Bearer ${token}` } },
  })
  return { statusCode, payload, showsSecret: payload.includes(secret) }
}

const spellings = [
  '/v1/store/export',
  '/v1/store/export?history=false',
  '/v1/store/%65xport',
  'http://localhost/v1/store/export',
  '/v1/store/record?key=versions%2Fdefault%2Fweb%2F1',
  '/v1/store/recor%64?key=leader',
]

test('are for callers who may write alone, however the address is spelled', async () => {
  for (const url of spellings) {
    const refused = await asked(url, { role: 'read' })
    expect([url, refused.statusCode, refused.showsSecret]).toEqual([url, 403, false])
    expect(JSON.parse(refused.payload)).toMatchObject({
      error: { code: 'api/read-only', message: expect.stringContaining('secrets') as string },
    })
    expect([url, (await asked(url, { role: 'read', method: 'HEAD' })).statusCode]).toEqual([url, 403])
  }
  expect(await asked('/v1/store/export', { role: 'write' })).toMatchObject({
    statusCode: 200,
    showsSecret: true,
  })
  expect((await local.inject('/v1/store/export')).payload).toContain(secret)
})

test('are all that shows secrets: callers who may read see what is made of records', async () => {
  const { paths } = (
    await overTcp.inject({ url: '/v1/openapi.json', headers: { authorization: `Bearer ${tokens[0].text}` } })
  ).json<{
    paths: Record<string, { get?: { parameters: { name: string; in: string; required?: boolean }[] } }>
  }>()
  const named: Record<string, string> = {
    project: 'default',
    service: 'web',
    version: '1',
    name: 'web',
    id: 'a',
  }
  let answered = 0
  for (const [path, { get }] of Object.entries(paths)) {
    // What goes on without an end is followed by nobody here.
    if (get === undefined || /progress|\/drain$|\/events$|logs|journal/.test(path)) continue
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name] ?? 'x')
    const { statusCode, showsSecret } = await asked(url, { role: 'read' })
    if (statusCode === 200) answered += 1
    expect([url, showsSecret]).toEqual([url, false])
  }
  expect(answered).toBeGreaterThan(15)
})
