// Modules of ours that few daemons use, for `src/main/held-module.ts`: a chunk of the bundle would be read when it is needed, and may be
// gone by then, or be that of another release.
import { join, relative } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import * as esbuild from 'esbuild'

const root = join(import.meta.dirname, '..')
/** Called when a daemon finds a Docker, is asked for a description of its API, or sends a mail. Their exports are functions. */
const held = ['src/drivers/docker/io/driver.ts', 'src/contract/openapi.ts', 'src/notify/io/smtp.ts'].map(
  (path) => join(root, path),
)
/** What dockerode would load for connections over SSH and for BuildKit. */
const unused = ['ssh2', '@grpc/grpc-js', '@grpc/proto-loader', 'protobufjs']

/** Has each such module, with what it alone needs, in a file beside the bundle; what every daemon has loaded it shares. */
export const modulesHeld = {
  name: 'modules-held',
  setup(builder) {
    const loaded = loadedByDaemons()
    const texts = new Map()
    builder.onResolve({ filter: /^\./, namespace: 'file' }, ({ path, resolveDir }) => {
      const file = sourceOf(resolveDir, path)
      return held.includes(file) ? { path: file, namespace: 'held' } : undefined
    })
    builder.onResolve({ filter: /^text$/, namespace: 'held' }, ({ importer }) => ({
      path: importer.replace(/\.ts$/, '.br'),
      namespace: 'held-text',
    }))
    builder.onLoad({ filter: /./, namespace: 'held' }, async ({ path }) => {
      const { exported, text, taken } = await textOfModule(path, await loaded)
      texts.set(path.replace(/\.ts$/, '.br'), text)
      return { contents: stubOf(path, exported, taken), resolveDir: root }
    })
    builder.onLoad({ filter: /./, namespace: 'held-text' }, ({ path }) => ({
      contents: brotliCompressSync(texts.get(path)),
      loader: 'file',
    }))
  },
}

/** What stands in the bundle for a module: it has what that exports. */
function stubOf(path, exported, taken) {
  const shared = [...new Set(taken.map(({ file }) => file))].map((file) => {
    const names = taken.filter((one) => one.file === file).map(({ name, as }) => `${name}: ${as}`)
    return `${JSON.stringify(`own:${file}`)}: { ${names} }`
  })
  return [
    ...taken.map(({ file, name, as }) => `import { ${name} as ${as} } from './${file}'`),
    `import { heldModule } from './src/main/held-module.ts'`,
    `import text from 'text'`,
    `const load = heldModule(${JSON.stringify(relative(root, path))}, new URL(text, import.meta.url), { ${shared} })`,
    ...exported.map((name) => `export const ${name} = (...args) => load().${name}(...args)`),
  ].join('\n')
}

/** The sources that a daemon has loaded once it runs. */
async function loadedByDaemons() {
  const isElsewhere = (file, kind) => kind === 'dynamic-import' || held.includes(file)
  const { metafile } = await esbuild.build({
    ...settings,
    entryPoints: ['src/main/daemon.ts'],
    packages: 'external',
    plugins: [external(isElsewhere)],
  })
  return new Set(Object.keys(metafile.inputs).map((path) => join(root, path)))
}

/** A module as the text of one in CommonJS, and the names that it takes from those that are loaded. */
async function textOfModule(path, loaded) {
  const { outputFiles, metafile } = await esbuild.build({
    ...settings,
    entryPoints: [path],
    minify: true,
    plugins: [external((file) => loaded.has(file)), nothingUnused],
  })
  const [{ exports: exported }] = Object.values(metafile.outputs)
  const [{ text: module }] = outputFiles
  const imports = [...module.matchAll(/\bimport\{([^}]*)\}from"own:([^"]+)"/g)]
  if (imports.length !== module.split('"own:').length - 1) throw new Error(`${path} takes more than names`)
  const pairs = imports.flatMap(([, names, file]) =>
    names.split(',').map((name) => `${file} ${name.split(' ')[0]}`),
  )
  const taken = [...new Set(pairs)].map((pair, i) => {
    const [file, name] = pair.split(' ')
    return { file, name, as: `own${i}` }
  })
  const { code } = await esbuild.transform(module, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
  })
  return { exported, text: code, taken }
}

const settings = {
  absWorkingDir: root,
  outdir: 'held',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  metafile: true,
  write: false,
  logLevel: 'warning',
}

const sourceOf = (dir, path) => join(dir, path).replace(/\.js$/, '.ts')

/** Sources for which `isExternal` holds are imported by names that `heldModule` is given. */
function external(isExternal) {
  return {
    name: 'external',
    setup(builder) {
      builder.onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
        const file = sourceOf(resolveDir, path)
        if (kind === 'entry-point' || resolveDir.includes('/node_modules/') || !isExternal(file, kind))
          return undefined
        return { path: `own:${relative(root, file)}`, external: true }
      })
    },
  }
}

const nothingUnused = {
  name: 'nothing-unused',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      unused.includes(path) ? { path, namespace: 'nothing' } : undefined,
    )
    builder.onLoad({ filter: /./, namespace: 'nothing' }, () => ({ contents: '' }))
  },
}
