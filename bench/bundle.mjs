// Bundles modules of ours for measurements and scripts; the packages of others stay where they are, so the bundle lies
// beneath them.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')

/** Where the bundle of that name lies. */
export function bundlePath(name) {
  return join(root, 'node_modules/.cache/bench', name)
}

/** Bundles `entry`, a path in the checkout, under a name, and imports it. */
export async function bundle(entry, name) {
  return await import(pathToFileURL(await bundleTo({ entryPoints: [join(root, entry)] }, name)).href)
}

/** The same of what a few lines export, with paths in the checkout. */
export async function bundleExports(contents, name) {
  return await import(pathToFileURL(await bundleTo({ stdin: { contents, resolveDir: root } }, name)).href)
}

/** Bundles under a name, and returns the path of the bundle. */
export async function bundleTo(what, name) {
  const { build } = await import('esbuild')
  const outfile = bundlePath(name)
  await build({
    ...what,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  return outfile
}
