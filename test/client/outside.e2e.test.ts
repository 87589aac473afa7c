// The package as another program has it: what `npm pack` puts in, compiled against by its types, and run.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiServer, startApiServer } from '../../src/api/io/server.js'
import { openLocalApi } from '../api/local-api.js'
import { makeCertificates } from '../e2e/certificates.js'
import { removeDir } from '../remove-dir.js'

const root = join(import.meta.dirname, '..', '..')
const dir = mkdtempSync(join(tmpdir(), 'outside-'))
const { ca, cert, key } = makeCertificates()
const token = 'a-token-that-is-long-enough-for-anybody'
const servers: ApiServer[] = []
const run = promisify(execFile)

beforeAll(async () => {
  const { context, server } = await openLocalApi()
  await server.close()
  const closed = { tls: null, tokens: () => [], open: false }
  const secure = {
    tls: { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8'), ca: null },
    tokens: () => [{ role: 'write', text: token } as const],
    open: false,
  }
  servers.push(await startApiServer(context, [{ kind: 'unix', path: join(dir, 's') }], closed))
  servers.push(await startApiServer(context, [{ kind: 'tcp', host: '127.0.0.1', port: 0 }], secure))
  install()
})

afterAll(async () => {
  for (const server of servers) {
    await server.end()
    await server.close()
  }
  removeDir(dir)
})

/** As `npm install` would, from what is here already. */
function install(): void {
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', dir], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ filename }] = JSON.parse(packed) as [{ readonly filename: string }]
  const modules = join(dir, 'node_modules')
  mkdirSync(join(modules, 'mariposa'), { recursive: true })
  execFileSync('tar', ['-xzf', join(dir, filename), '--strip-components=1', '-C', join(modules, 'mariposa')])
  mkdirSync(join(modules, '@types'))
  for (const name of ['typebox', '@types/node'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  writeFileSync(join(dir, 'package.json'), '{"type": "module"}')
}

/** What docs/api.md shows: it has to compile as it stands. */
function exampleOfDocs(): string {
  const text = readFileSync(join(root, 'docs', 'api.md'), 'utf8')
  return /^```ts\n(.*?)^```$/ms.exec(text)?.[1] ?? 'there is no example'
}

const program = `
import { readFileSync } from 'node:fs'
import { argv } from 'node:process'
import { ClientError, connect, inPages, type Client, type DeployRequest, type EventBody } from 'mariposa/client'

const [, , endpoint = '', token, caFile, name = ''] = argv
const ca = caFile === undefined || caFile === '' ? {} : { ca: readFileSync(caFile, 'utf8') }
const client: Client = connect(endpoint, { ...(token !== undefined && { token }), ...ca })

const sources = [{ file: 'x.yml', text: 'compute_type: process\\ncommand: [/bin/x]\\n', name }]
const request: DeployRequest = { sources, waitForRoom: true }

async function firstOf(service: string, signal: AbortSignal): Promise<EventBody> {
  for await (const event of client.events({ follow: true, service }, signal)) return event
  throw new Error('the history ended')
}

const over = new AbortController()
const first = firstOf(name, over.signal)
const { services } = await client.deploy('default', request)
const event = await first
over.abort()
const names: string[] = []
for await (const service of inPages((page) => client.services('default', undefined, page), 1)) {
  const scale: number = service.scale
  // @ts-expect-error a scale is a number
  const text: string = service.scale
  if (scale === Number(text)) names.push(service.name)
}
let code = ''
try {
  await client.service('default', 'nobody')
} catch (error) {
  if (!(error instanceof ClientError)) throw error
  code = \`\${error.status} \${error.code}\`
}
// @ts-expect-error there is no such thing to ask for
client.nothing
console.log(JSON.stringify({ services: services.length, event: event.kind, names, code }))
`

test('a program that imports mariposa/client is compiled and works, by socket and by TLS with a token', async () => {
  writeFileSync(join(dir, 'main.ts'), program)
  writeFileSync(join(dir, 'docs.ts'), exampleOfDocs())
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const options = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--skipLibCheck',
  ]
  await run(process.execPath, [compiler, ...options, 'main.ts', 'docs.ts'], { cwd: dir }).catch(
    (error: unknown) => {
      throw new Error((error as { readonly stdout: string }).stdout)
    },
  )
  const ask = async (...args: readonly string[]): Promise<unknown> => {
    const { stdout } = await run(process.execPath, ['main.js', ...args], { cwd: dir })
    return JSON.parse(stdout)
  }
  const [local = '', remote = ''] = servers.flatMap(({ endpoints }) => endpoints)
  const told = { services: 1, event: 'deploy', code: '404 service/unknown' }
  expect(await ask(local, '', '', 'web')).toEqual({ ...told, names: ['web'] })
  expect(await ask(remote, token, ca, 'db')).toEqual({ ...told, names: ['db', 'web'] })
  await expect(ask(remote, 'another-token', ca, 'no')).rejects.toThrow('ClientError')
  await expect(ask(remote, token, '', 'no')).rejects.toThrow("code: 'client/tls'")
})

test('nothing else of the package can be imported', async () => {
  const told = run(process.execPath, ['--input-type=module', '-e', 'import "mariposa/dist/mariposa.js"'], {
    cwd: dir,
  })
  await expect(told).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED')
})
