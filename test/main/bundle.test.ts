// What the built program loads when: a start of a command must not pay for what a daemon may need one day.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
// @ts-expect-error: a build script without types
import { build } from '../../scripts/build.mjs'
import { removeDir } from '../remove-dir.js'

interface Parts {
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[]
}

interface Output extends Parts {
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>
}

interface Built {
  readonly metafile: {
    readonly inputs: Readonly<Record<string, Parts>>
    readonly outputs: Readonly<Record<string, Output>>
  }
}

const { metafile, requires } = await built()
const { inputs, outputs } = metafile

/** What was built, and how many of its chunks have a `require` of their own. */
async function built(): Promise<Built & { readonly requires: number }> {
  const cache = join(import.meta.dirname, '../../node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const outdir = mkdtempSync(join(cache, 'mariposa-bundle-'))
  try {
    const { metafile } = (await build({ outdir })) as Built
    const chunks = readdirSync(join(outdir, 'chunks')).map((name) => join(outdir, 'chunks', name))
    const requires = chunks.filter((file) => readFileSync(file, 'utf8').includes('const require=')).length
    return { metafile, requires }
  } finally {
    removeDir(outdir)
  }
}

/** What the bundle has of a package, in bytes, beside what its files there have. */
function sizesOf(name: string): { readonly files: number; readonly inBundle: number } {
  const [root, within] = [join(import.meta.dirname, '../..'), `node_modules/${name}/`]
  const parts = Object.values(outputs)
    .flatMap((output) => Object.entries(output.inputs))
    .filter(([path]) => path.includes(within))
  return {
    files: sum(parts.map(([path]) => statSync(join(root, path)).size)),
    inBundle: sum(parts.map(([, { bytesInOutput }]) => bytesInOutput)),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}

/** All that is loaded with a file. */
function loadedWith(file: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(file)) return known
  known.add(file)
  for (const { path, kind } of inputs[file]?.imports ?? [])
    if (kind !== 'dynamic-import') loadedWith(path, known)
  return known
}

it('what sends mails, drives Docker and describes the API lies beside the bundle, for a daemon that needs it', () => {
  expect(Object.keys(inputs).filter((path) => /node_modules\/(nodemailer|dockerode)\//.test(path))).toEqual(
    [],
  )
  const beside = Object.keys(outputs).map((path) => /(\w+)-\w+\.br$/.exec(path)?.[1])
  expect(beside.filter((name) => name !== undefined).sort()).toEqual(['driver', 'openapi', 'smtp'])
})

it('what checks manifests by a schema is made with the program, and by no command', () => {
  const loaded = [...loadedWith('src/main/command-line.ts'), ...loadedWith('src/cli/io/manifests.ts')]
  expect(loaded.filter((path) => /node_modules\/ajv\//.test(path))).toEqual([])
  expect(loadedWith('src/cli/io/manifests.ts')).toContain('src/manifest/validators.js')
})

it('a command on manifests loads neither HTTP nor the schemas that its validators were made of', () => {
  const loaded = [...loadedWith('src/cli/io/manifests.ts')]
  expect(
    loaded.filter((path) => /^node:http|node_modules\/typebox\/|handlebars\/compiler\/compiler/.test(path)),
  ).toEqual([])
})

it('a command loads of Node nothing that tells or sets how V8 keeps its heap, and nothing that speaks over a network', () => {
  // But zlib, for some milliseconds: what was compiled is not run before its checksum is right.
  const loaded = [...loadedWith('src/main/mariposa.ts'), ...loadedWith('src/main/command-line.ts')]
  expect(loaded.filter((path) => /^node:(v8|perf_hooks|https?|net|tls|crypto)$/.test(path))).toEqual([])
})

it('a command on volumes loads what asks S3-like stores for those alone', () => {
  const isOfStores = (path: string): boolean => /^src\/s3\/io\/|node_modules\/aws4fetch\//.test(path)
  expect([...loadedWith('src/cli/io/volume-archives.ts')].filter(isOfStores)).toEqual([])
  expect([...loadedWith('src/cli/io/volume-objects.ts')].some(isOfStores)).toBe(true)
})

it('packages are loaded from the bundle, which has them without their comments, but for what speaks to systemd', () => {
  const asks = Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, kind, path }) => external && kind === 'import-statement' && !isBuiltin(path))
  expect(asks.map(({ path }) => path)).toEqual(['dbus-native'])
  for (const name of ['@grpc/grpc-js', 'protobufjs', 'fastify']) {
    const { files, inBundle } = sizesOf(name)
    expect(inBundle, name).toBeGreaterThan(0)
    expect(inBundle / files, name).toBeLessThan(2 / 3)
  }
})

it('packages that a daemon at rest has no use for are in the bundle as what it unpacks when it needs them', () => {
  const inputsOf = Object.values(outputs).flatMap((output) => Object.keys(output.inputs))
  expect(inputsOf.filter((path) => /node_modules\/(yaml|re2js|ajv|dns-packet)\//.test(path))).toEqual([])
  expect(inputsOf.filter((path) => path.startsWith('late:')).sort()).toEqual([
    'late:ajv',
    'late:dns-packet',
    'late:handlebars/dist/cjs/handlebars/compiler/base.js',
    'late:re2js',
    'late:yaml',
  ])
})

it('one chunk has the `require` of those packages that are in CommonJS', () => {
  expect(requires).toBe(1)
})
