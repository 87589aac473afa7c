// Builds dist/mariposa.js, which Node reads fastest as it is no module; the modules command-line.mjs, supervisor.mjs,
// entry-keeper.mjs, client.mjs and their chunks; the command line as this Node compiles it; and the types of the client in dist/types.
// `node scripts/build.mjs`, which does nothing where BUILT_PROGRAM names a program that suites share (test/program-setup.ts); or `build({ outdir })` from elsewhere, which makes no types.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire, isBuiltin } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { compile, holdsScripts, scriptsOf, textOfPackage } from './compiled.mjs'
import { modulesHeld } from './held-modules.mjs'
import { writeValidators } from './validators.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** What commands and every daemon load is put into the bundle, which spares a start hundreds of files; all else stays in node_modules. */
const bundled = [
  ...['commander', 'yaml', 'typebox', 'handlebars', 're2js', 'diff', 'aws4fetch'],
  ...['fastify', '@grpc/grpc-js', 'protobufjs'],
]
/** What those would load for what nobody asks of them. */
const seldom = [
  ...['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request', 'pino'],
  ...['@grpc/proto-loader', 'source-map'],
]

/** Writes the program to `outdir`, and removes the chunks there that no longer belong to it. */
export async function build({ outdir = join(root, 'dist') } = {}) {
  await writeValidators()
  for (const folder of ['chunks', 'types']) await mkdir(join(outdir, folder), { recursive: true })
  const scripts = await scriptsOf(root)
  await removeOtherCompiled(outdir, scripts)
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: {
      'command-line': 'src/main/command-line.ts',
      compilers: 'src/main/compilers.ts',
      supervisor: 'src/main/supervisor.ts',
      'entry-keeper': 'src/main/entry-keeper.ts',
      client: 'src/client/io/index.ts',
    },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    chunkNames: 'chunks/[name]-[hash]',
    assetNames: 'chunks/[name]-[hash]',
    outExtension: { '.js': '.mjs' },
    plugins: [packagesLate, modulesHeld, packagesStay, packagesBrief],
    // V8 keeps the text of what it runs, comments too. Names of functions stay, for what is said of a bug.
    minifyWhitespace: true,
    minifySyntax: true,
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  const launcher = await buildLauncher(outdir)
  await Promise.all(
    [...result.outputFiles.map(withRequire), ...launcher.outputFiles, ...scopesOf(outdir)].map(replaceFile),
  )
  await chmod(join(outdir, 'mariposa.js'), 0o755)
  await removeOld(outdir, Object.keys(result.metafile.outputs))
  await replaceFile({ path: compiledIn(outdir), contents: await compile(scripts) })
  return { metafile: joined(result.metafile, launcher.metafile) }
}

/**
 * Packages in CommonJS ask for Node's own modules with `require`, by way of one function that esbuild puts into one file. Every other
 * file would keep a `require` of its own, with all the folders in which it looks, for nobody.
 */
function withRequire({ path, text, contents }) {
  if (!path.endsWith('.mjs')) return { path, contents: Buffer.from(contents) }
  const importing = "import{createRequire as __createRequire}from'node:module';"
  const asks = /\b__require\s*=/.test(text)
  const head = asks ? `${importing}const require=__createRequire(import.meta.url);` : ''
  return { path, contents: Buffer.from(head + text) }
}

/** What is run first, as a script: to load a module takes Node a third of the time that it takes to start. */
function buildLauncher(outdir) {
  return esbuild.build({
    absWorkingDir: root,
    entryPoints: { mariposa: 'src/main/mariposa.ts' },
    outdir,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    plugins: [modulesStay],
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
}

/** What the launcher loads when it runs is the modules that are built beside it. */
const modulesStay = {
  name: 'modules-stay',
  setup(builder) {
    builder.onResolve({ filter: /^\./ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path: path.replace(/\.js$/, '.mjs'), external: true } : undefined,
    )
  },
}

/** What Node and TypeScript take a `.js` and a `.d.ts` there for, whatever the folder lies in. */
function scopesOf(outdir) {
  const scope = (folder, type) => ({
    path: join(outdir, folder, 'package.json'),
    contents: Buffer.from(`${JSON.stringify({ type })}\n`),
  })
  return [scope('.', 'commonjs'), scope('types', 'module')]
}

function joined(one, other) {
  return { inputs: { ...one.inputs, ...other.inputs }, outputs: { ...one.outputs, ...other.outputs } }
}

const packagesStay = {
  name: 'packages-stay',
  setup(builder) {
    const isOf = (path, names) => names.some((name) => path === name || path.startsWith(`${name}/`))
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point' || isOf(path, bundled)) return undefined
      // What a package needs goes where it goes.
      const isNeeded = importer.includes('/node_modules/') && !isOf(path, seldom)
      return isNeeded && !isBuiltin(path) ? undefined : { path, external: true }
    })
  },
}

/** Packages that a daemon takes from the bundle when it first reads a manifest, checks a request or is asked for a name. */
const packagesLate = {
  name: 'packages-late',
  setup(builder) {
    const late = ['yaml', 're2js', 'handlebars/dist/cjs/handlebars/compiler/base.js', 'ajv', 'dns-packet']
    builder.onResolve({ filter: /^[^./]/ }, ({ path, namespace }) =>
      late.includes(path) && namespace === 'file' ? { path, namespace: 'late' } : undefined,
    )
    builder.onLoad({ filter: /./, namespace: 'late' }, async ({ path }) => {
      const names = Object.keys(createRequire(import.meta.url)(path)).filter((name) => name !== '__esModule')
      const text = brotliCompressSync(await textOfPackage(root, path)).toString('base64')
      const words = [path, names, text].map((word) => JSON.stringify(word))
      const contents = `module.exports = require('./src/main/late-package.ts').latePackage(${words})`
      return { contents, resolveDir: root }
    })
  },
}

/** Packages without comments and with short names inside of their functions: V8 keeps the text of what it runs. */
const packagesBrief = {
  name: 'packages-brief',
  setup(builder) {
    builder.onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, async ({ path }) => {
      const { code } = await esbuild.transform(await readFile(path, 'utf8'), {
        minify: true,
        platform: 'node',
        target: 'node20',
      })
      return { contents: code, loader: 'js' }
    })
  },
}

/** A file is there whole or not at all, and untouched where it is the same: what runs from it is not disturbed. */
async function replaceFile({ path, contents }) {
  const old = await readFile(path).catch(() => null)
  if (old?.equals(contents)) return
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}`)
  await writeFile(unfinished, contents)
  await rename(unfinished, path)
}

async function removeOld(outdir, outputs) {
  const chunks = join(outdir, 'chunks')
  const current = new Set(outputs.map((output) => output.slice(output.lastIndexOf('/') + 1)))
  const present = await readdir(chunks).catch(() => [])
  // What begins with a dot another build is about to put in its place.
  const old = present.filter((name) => !current.has(name) && !name.startsWith('.'))
  await Promise.all(old.map((name) => rm(join(chunks, name), { force: true })))
}

const compiledIn = (outdir) => join(outdir, `compiled-${process.version}-${process.arch}`)

/** What was compiled of the program as it was, by whatever Node. Others may build here at the same time. */
async function removeOtherCompiled(outdir, scripts) {
  const names = (await readdir(outdir)).filter((name) => name.startsWith('compiled-'))
  const files = names.map((name) => join(outdir, name))
  await Promise.all(
    files.map(async (file) => {
      const whole = await readFile(file).catch(() => null)
      const isOfThis = file === compiledIn(outdir) && whole !== null && holdsScripts(whole, scripts)
      if (!isOfThis) await rm(file, { force: true })
    }),
  )
}

/** What the compiler knows of the last time lies beside the types: it writes them anew where something has changed. */
function buildTypes() {
  const typescript = createRequire(import.meta.url).resolve('typescript-7/package.json')
  const compiler = join(dirname(typescript), 'bin/tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.client.json')], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('the types of the client could not be made')
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.env.BUILT_PROGRAM === undefined) {
  await build()
  buildTypes()
}
