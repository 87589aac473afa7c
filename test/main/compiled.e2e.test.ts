// The command line as V8 compiled it when the program was built: it says what the program says, and where it cannot be used the
// program does without.
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest'
// @ts-expect-error: a build script without types
import { build } from '../../scripts/build.mjs'
import { compiledCommandLine } from '../../src/main/compiled.js'
import { removeDir } from '../remove-dir.js'

const cache = join(import.meta.dirname, '../../node_modules/.cache')
mkdirSync(cache, { recursive: true })
const dir = mkdtempSync(join(cache, 'mariposa-compiled-'))
const manifest = join(dir, 'web.yml')
const compiled = join(dir, `compiled-${process.version}-${process.arch}`)
let asBuilt: Buffer

beforeAll(() => {
  cpSync(dirname(inject('program')), dir, { recursive: true })
  asBuilt = readFileSync(compiled)
  writeFileSync(manifest, 'compute_type: docker\nimage: nginx\nrestrat: always\n')
})

beforeEach(() => writeFileSync(compiled, asBuilt))

afterAll(() => removeDir(dir))

/** Where in the file that lies which V8 made for commands that read no manifests. */
function madeIn(whole: Buffer): { readonly from: number; readonly end: number } {
  const [code = 0, made = 0, other = 0, ofOther = 0] = [0, 4, 12, 16].map((at) => whole.readUInt32LE(at))
  const from = 24 + code + made + other
  return { from, end: from + ofOther }
}

interface Told {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** What a command says, under the settings of this Node and no others. */
async function told(...words: readonly string[]): Promise<Told> {
  const { NODE_OPTIONS: _, ...env } = process.env
  const ran = promisify(execFile)(process.execPath, words, { env, cwd: dir })
  return ran.then(
    (ended) => ({ code: 0, ...ended }),
    ({ code, stdout, stderr }: Told) => ({ code, stdout, stderr }),
  )
}

/** What the program is read from where it is not compiled. */
const read = join(dir, 'command-line.mjs')

/** The same where nothing else than the compiled command line is there. */
async function toldByCompiled(...words: readonly string[]): Promise<Told> {
  renameSync(read, `${read}.aside`)
  try {
    return await told(...words)
  } finally {
    renameSync(`${read}.aside`, read)
  }
}

const program = join(dir, 'mariposa.js')
const commands = [
  ['--help'],
  ['service', 'deploy', '--help'],
  ['help', 'manifest', 'lint'],
  ['manifest', 'lint', '--offline', manifest],
  ['manifest', 'render', '--offline', manifest],
  ['help', 'manifest'],
  ['manifest', 'schema', 'packages'],
  ['service', 'list', '--endpoint', 'unix:///nobody/is/here'],
  ['servce', 'list'],
  ['service', 'list', '--jsn'],
]

it.each(commands.map((words) => ({ words })))(
  '$words: compiled it says what it says otherwise',
  async ({ words }) => {
    const byCompiled = await toldByCompiled(program, ...words)
    rmSync(compiled)
    expect(byCompiled).toEqual(await told(program, ...words))
    expect(byCompiled.stderr).not.toContain('ERR_MODULE_NOT_FOUND')
  },
)

it('the help of a command is the same by either word, with its options', async () => {
  const help = await told(program, 'help', 'daemon')
  expect(help.stdout).toContain('--data-dir')
  expect(help).toEqual(await told(program, 'daemon', '--help'))
})

it('what only the daemon, its store and its simulator need is read anew', async () => {
  for (const word of ['daemon', 'up', 'store', 'stores', 'simulate'])
    expect(compiledCommandLine(dir, ['--json', word], createRequire(import.meta.url))).toBeNull()
  const { stderr } = await toldByCompiled(program, 'daemon', '--help')
  expect(stderr).toContain('ERR_MODULE_NOT_FOUND')
})

it.each([
  ['another Node has made it', (whole: Buffer) => whole.fill(0, madeIn(whole).from, madeIn(whole).end)],
  [
    'a part of what V8 made is damaged',
    (whole: Buffer) => whole.fill(7, madeIn(whole).from + 5000, madeIn(whole).end),
  ],
  [
    'its code is damaged',
    (whole: Buffer) => whole.fill('(', madeIn(whole).from - 500_000, madeIn(whole).from),
  ],
  ['its end is missing', (whole: Buffer) => whole.subarray(0, -1000)],
  ['nothing of what V8 made is there', (whole: Buffer) => whole.subarray(0, madeIn(whole).from)],
  ['half of its code is missing', (whole: Buffer) => whole.subarray(0, 10_000)],
  ['it is empty', () => Buffer.alloc(0)],
])('where %s, the program is read anew', async (_, damaged) => {
  const wanted = await told(program, '--help')
  writeFileSync(compiled, damaged(Buffer.from(asBuilt)))
  expect(await told(program, '--help')).toEqual(wanted)
  expect((await toldByCompiled(program, '--help')).stderr).toContain('ERR_MODULE_NOT_FOUND')
})

it('where V8 is told to work in another way, the program is read anew', async () => {
  expect(await told('--no-opt', program, '--help')).toEqual(await told(program, '--help'))
})

it('builds that meet leave a program that is whole, whatever was damaged, and nothing that was compiled before them', async () => {
  writeFileSync(compiled, Buffer.from(asBuilt).fill(7, madeIn(asBuilt).from + 5000))
  writeFileSync(join(dir, 'compiled-v1.2.3-x64'), 'of another Node')
  await Promise.all([build({ outdir: dir }), build({ outdir: dir }), build({ outdir: dir })])
  expect((await toldByCompiled(program, '--help')).code).toBe(0)
  expect(readdirSync(dir).filter((name) => name.startsWith('compiled-'))).toEqual([
    `compiled-${process.version}-${process.arch}`,
  ])
})
