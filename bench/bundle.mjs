// Bundles a module of ours for a measurement; the packages of others stay where they are, so the bundle lies beneath them.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')

/** Where the bundle of that name lies. */
export function bundlePath(name) {
  return join(root, 'node_modules/.cache/bench', name)
}

/** Bundles `entry`, a path in the checkout, under a name, and imports it. */
export async function bundle(entry, name) {
  const { build } = await import('esbuild')
  const outfile = bundlePath(name)
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  return await import(pathToFileURL(outfile).href)
}
