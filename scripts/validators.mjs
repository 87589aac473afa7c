// Writes src/manifest/validators.js from the schemas in src/manifest, so that no process compiles one. The build does it; git
// does not keep the file, whose types are in validators.d.ts beside it.
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Where the validators are, below the root. */
export const validatorsFile = 'src/manifest/validators.js'
/** What the validators check by, as they export it: without the words that are only for readers and for editors. */
const checked = { serviceSchema: 'serviceManifestSchema', packagesSchema: 'packageListSchema' }
const annotations = ['title', 'description', 'default', 'examples']
const ownUse = ['expected', 'secret']

/** Everything that the schemas' sources export. */
export async function loadSchemas() {
  const dir = await mkdtemp(join(tmpdir(), 'mariposa-schema-'))
  try {
    const outfile = join(dir, 'schemas.mjs')
    const contents = ['published-schema', 'schema', 'schema-packages', 'schema-words']
      .map((name) => `export * from './src/manifest/${name}.ts'`)
      .join('\n')
    await build({
      stdin: { contents, resolveDir: root },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    await rm(dir, { recursive: true })
  }
}

/** The validators as a module: nothing is compiled where they run. */
export async function validatorsOf(all) {
  const unread = [...annotations, ...all.ownWords.filter((word) => !ownUse.includes(word))]
  const bare = Object.entries(checked).map(([name, schema]) => [name, without(unread, all[schema])])
  const ajv = new Ajv2020({
    allErrors: true,
    discriminator: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    code: { source: true, esm: true },
    keywords: ownUse,
    schemas: bare.map(([name, schema]) => ({ ...schema, $id: name })),
  })
  const code = standalone(ajv, { checkService: 'serviceSchema', checkPackages: 'packagesSchema' })
  const data = bare.map(([name, schema]) => `export const ${name} = ${JSON.stringify(schema)}`).join('\n')
  const text = await inOneFile(`${code}\n${data}`)
  return `// Written by scripts/validators.mjs from the schemas beside it.\n${text}`
}

/** Writes the validators where they have changed: whole or not at all, since others may build or read at the same time. */
export async function writeValidators() {
  const path = join(root, validatorsFile)
  const text = await validatorsOf(await loadSchemas())
  if ((await readFile(path, 'utf8').catch(() => null)) === text) return
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, text)
  await rename(unfinished, path)
}

/** Without keywords. Under some of them stand keys of the manifest, which are never left out. */
function without(words, schema, isMapOfKeys = false) {
  if (Array.isArray(schema)) return schema.map((item) => without(words, item))
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(([key]) => isMapOfKeys || !words.includes(key))
  return Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      without(words, value, !isMapOfKeys && /^(pattern)?properties$/i.test(key)),
    ]),
  )
}

/** With what the code needs of Ajv in it. */
async function inOneFile(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'node',
    charset: 'utf8',
    // Nobody reads it, and each process that loads it keeps it.
    minify: true,
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0].text
}
