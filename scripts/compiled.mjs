// Compiles the command line and keeps what V8 made of it, for `src/main/compiled.ts`: as one script, as Node 20 can keep compiled
// code of scripts and not of modules. `node scripts/compiled.mjs DIR` is the process that has V8 compile what lies there, with
// this Node's own settings: what usual commands call is compiled by running them.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Script } from 'node:vm'
import { build } from 'esbuild'

/** A script whose value is a function: of Node's `require`, to what the command line of the program at `root` exports. */
export async function scriptOf(root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/main/command-line.ts'],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    // A script of ours has no way to import.
    supported: { 'dynamic-import': false },
    plugins: [onlyCommands],
    banner: { js: '((require) => { const module = { exports: {} };' },
    footer: { js: 'return module.exports })' },
    // There is less to read, and what is said of a bug still has the names of functions.
    minifyWhitespace: true,
    write: false,
    logLevel: 'warning',
  })
  const text = outputFiles[0].text
  if (/[^\0-\x7f]/.test(text)) throw new Error('the compiled command line is not ASCII')
  // What V8 makes of it comes behind it, and is used where it lies if that begins at a whole word.
  const code = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8))
  const head = Buffer.alloc(8)
  head.writeUInt32LE(code.length)
  return Buffer.concat([head, code])
}

/** The script, and behind it what V8 of this Node makes of it. */
export async function compile(script) {
  const dir = await mkdtemp(join(tmpdir(), 'mariposa-compiled-'))
  try {
    await writeFile(join(dir, 'code'), script.subarray(8))
    // What the environment may say to Node would be said to V8 as well, which takes compiled code from its like alone.
    const { NODE_OPTIONS: _, ...env } = process.env
    await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), dir], { env })
    return Buffer.concat([script, await readFile(join(dir, 'made'))])
  } finally {
    await rm(dir, { recursive: true })
  }
}

/** What src/main loads for a command is the daemon's: `compiledCommandLine` reads that anew. */
const onlyCommands = {
  name: 'only-commands',
  setup(builder) {
    builder.onResolve({ filter: /^\./ }, ({ path, kind, importer }) => {
      if (kind !== 'dynamic-import' || !/\/src\/main\/[^/]*$/.test(importer)) return undefined
      return { path, namespace: 'elsewhere' }
    })
    builder.onLoad({ filter: /./, namespace: 'elsewhere' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not compiled with the command line`)})`,
    }))
  },
}

const manifest = `compute_type: docker
image: nginx:1.27
memory: 256M
ports: ["0:80"]
environment:
  NAME: "{{ .service.name }}"
labels: {tier: web}
healthchecks:
  - {type: http, port: 80, path: /healthz, poll: 10}
`

/** Leaves in `dir` what V8 makes of the code there. */
async function compileHere(dir) {
  const text = await readFile(join(dir, 'code'), 'latin1')
  const script = new Script(text, { filename: 'mariposa' })
  const { runCommandLine } = script.runInThisContext()(createRequire(import.meta.url))
  await writeFile(join(dir, 'web.yml'), manifest)
  const socket = join(dir, 'socket')
  const server = createServer((_request, response) => response.end('[]'))
  // Where a path is too long for a socket, nobody answers: the build is as good.
  await new Promise((resolve) => server.once('error', resolve).listen(socket, resolve))
  const endpoint = ['--endpoint', `unix://${socket}`]
  await runCommandLine(['--help'])
  await runCommandLine(['manifest', 'lint', '--offline', join(dir, 'web.yml')])
  await runCommandLine(['service', 'list', ...endpoint])
  await runCommandLine(['service', 'deploy', join(dir, 'web.yml'), ...endpoint])
  server.close()
  server.closeAllConnections()
  await writeFile(join(dir, 'made'), script.createCachedData())
  process.exitCode = 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compileHere(process.argv[2])
