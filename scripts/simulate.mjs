// `npm run simulate -- --help`: bundles test/simulation, which is written in TypeScript, and runs it.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const outfile = join(root, 'node_modules/.cache/simulate.mjs')
await build({
  entryPoints: [join(root, 'test/simulation/main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'error',
  sourcemap: 'inline',
})
const { status } = spawnSync(process.execPath, ['--enable-source-maps', outfile, ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
