// `npm run simulate -- --help`: bundles test/simulation, which is written in TypeScript, and runs it.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { bundleTo } from '../bench/bundle.mjs'

const entry = join(import.meta.dirname, '../test/simulation/main.ts')
const program = await bundleTo({ entryPoints: [entry], sourcemap: 'inline' }, 'simulate.mjs')
const args = ['--enable-source-maps', program, ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
process.exitCode = status ?? 1
