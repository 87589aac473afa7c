// Compiles the command line and keeps what V8 made of it, for `src/main/compiled.ts`: as one script, as Node 20 can keep compiled
// code of scripts and not of modules. `node scripts/compiled.mjs DIR USE` is the process that has V8 compile what lies there, with
// this Node's own settings: what usual commands call is compiled by running them.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'
import { build, transform } from 'esbuild'

/** How long each script is, and what was made of it, and a checksum of both, before all that. */
const headBytes = 24
/** What commands that read manifests load when they run, and what of that other commands alone use. */
const ofManifests = ['src/cli/io/manifests.ts', 'src/cli/io/shell.ts', 'src/cli/io/terminal.ts']
const ofOthers = ['src/manifest/published-schema.ts']
/** Packages that are parts of their own, which are loaded when something of them is first used: few commands do. */
const apart = ['yaml', 're2js', 'handlebars/dist/cjs/handlebars/compiler/base.js']

/**
 * Two scripts, for commands that read manifests and for all. The value of one has parts of the command line of the program at
 * `root` by their names, each a function of `require`, `module` and `exports`: V8 knows of a part that is not called just that it
 * is there.
 */
export async function scriptsOf(root) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/main/command-line.ts'],
    outdir: 'parts',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [onlyCommands, packagesApart],
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  const parts = await Promise.all([
    ...outputFiles.map(({ path, text }) => partOf(basename(path), text)),
    ...apart.map((name) => partOfPackage(root, name)),
  ])
  const few = new Set([...partsForManifests(metafile.outputs), ...apart])
  return [parts.filter(({ name }) => few.has(name)), parts].map(scriptOf)
}

/** Names of the parts that commands load which read manifests. */
function partsForManifests(outputs) {
  const pathOf = (source) => Object.keys(outputs).find((path) => outputs[path].entryPoint === source)
  const others = ofOthers.map(pathOf)
  const found = new Set()
  const follow = (path, all) => {
    if (found.has(path) || others.includes(path)) return
    found.add(path)
    const within = outputs[path].imports.filter(({ external }) => external !== true)
    for (const { path: next, kind } of within) if (all || kind !== 'dynamic-import') follow(next, all)
  }
  for (const source of ofManifests) follow(pathOf(source), true)
  follow(pathOf('src/main/command-line.ts'), false)
  return new Set([...found].map((path) => basename(path)))
}

function scriptOf(parts) {
  const text = `({${parts
    .map(({ text }) => text)
    .sort()
    .join(',\n')}})`
  if (/[^\0-\x7f]/.test(text)) throw new Error('the compiled command line is not ASCII')
  return Buffer.from(text)
}

async function partOf(name, text) {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    // A script of ours has no way to import.
    supported: { 'dynamic-import': false },
    // There is less to read, and what is said of a bug still has the names of functions.
    minifyWhitespace: true,
    minifySyntax: true,
  })
  return { name, text: `${JSON.stringify(name)}(require, module, exports) {${code}}` }
}

async function partOfPackage(root, name) {
  return {
    name,
    text: `${JSON.stringify(name)}(require, module, exports) {${await textOfPackage(root, name)}}`,
  }
}

/** A package as the text of one CommonJS module. */
export async function textOfPackage(root, name) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: `module.exports = require(${JSON.stringify(name)})`, resolveDir: root },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
    write: false,
    logLevel: 'warning',
  })
  return outputFiles[0].text
}

/** The scripts, and behind each what V8 of this Node makes of it. */
export async function compile(scripts) {
  const made = await Promise.all(scripts.map((script, i) => madeOf(script, i === 0 ? 'manifests' : 'all')))
  const contents = scripts.map((script, i) => [script, made[i]])
  const head = Buffer.alloc(headBytes)
  const numbers = contents.flatMap(([code, made]) => [code.length, made.length, crc32(made, crc32(code))])
  for (const [i, number] of numbers.entries()) head.writeUInt32LE(number, 4 * i)
  return Buffer.concat([head, ...contents.flat()])
}

/** Whether a file was compiled of such scripts, and is as it was written. */
export function holdsScripts(whole, scripts) {
  if (whole.length < headBytes) return false
  let at = headBytes
  return scripts.every((script, i) => {
    const [length, made, sum] = [0, 4, 8].map((of) => whole.readUInt32LE(3 * 4 * i + of))
    const both = whole.subarray(at, at + length + made)
    at += both.length
    return both.subarray(0, length).equals(script) && crc32(both) === sum
  })
}

async function madeOf(script, use) {
  const dir = await mkdtemp(join(tmpdir(), 'mariposa-compiled-'))
  try {
    await writeFile(join(dir, 'code'), script)
    // What the environment may say to Node would be said to V8 as well, which takes compiled code from its like alone.
    const { NODE_OPTIONS: _, ...env } = process.env
    await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), dir, use], { env })
    return await readFile(join(dir, 'made'))
  } finally {
    await rm(dir, { recursive: true })
  }
}

const packagesApart = {
  name: 'packages-apart',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      apart.includes(path) ? { path, external: true } : undefined,
    )
  },
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

/** Leaves in `dir` what V8 makes of the code there for such commands. */
async function compileHere(dir, use) {
  const text = await readFile(join(dir, 'code'), 'latin1')
  const script = new Script(text, { filename: 'mariposa' })
  const { runCommandLine } = partsFrom(script.runInThisContext())('./command-line.js')
  await writeFile(join(dir, 'web.yml'), manifest)
  for (const words of use === 'manifests' ? [] : [['--help']]) await runCommandLine(words)
  await runCommandLine(['manifest', 'lint', '--offline', join(dir, 'web.yml')])
  if (use !== 'manifests') await askDaemon(dir, runCommandLine)
  await writeFile(join(dir, 'made'), script.createCachedData())
  process.exitCode = 0
}

/** As src/main/compiled.ts joins the parts. */
function partsFrom(parts) {
  const nodes = createRequire(import.meta.url)
  const loaded = new Map()
  const load = (name) => {
    const part = parts[name.replace(/^\.\//, '')]
    if (part === undefined) return nodes(name)
    const module = loaded.get(part) ?? { exports: {} }
    if (loaded.has(part)) return module.exports
    loaded.set(part, module)
    part(load, module, module.exports)
    return module.exports
  }
  return load
}

async function askDaemon(dir, runCommandLine) {
  const socket = join(dir, 'socket')
  const server = createServer((_request, response) => response.end('[]'))
  // Where a path is too long for a socket, nobody answers: the build is as good.
  await new Promise((resolve) => server.once('error', resolve).listen(socket, resolve))
  const endpoint = ['--endpoint', `unix://${socket}`]
  await runCommandLine(['service', 'list', ...endpoint])
  await runCommandLine(['service', 'deploy', join(dir, 'web.yml'), ...endpoint])
  server.close()
  server.closeAllConnections()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compileHere(...process.argv.slice(2))
