// What the built program loads when: a start of a command must not pay for what a daemon may need one day.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
// @ts-expect-error: a build script without types
import { build } from '../../scripts/build.mjs'

interface Built {
  readonly metafile: {
    readonly outputs: Readonly<
      Record<string, { readonly imports: readonly { readonly path: string; readonly kind: string }[] }>
    >
  }
}

it('the bundle leaves what sends mails to the first mail of a daemon', async () => {
  const cache = join(import.meta.dirname, '../../node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const outdir = mkdtempSync(join(cache, 'mariposa-bundle-'))
  try {
    const { metafile } = (await build({ outdir })) as Built
    const asks = Object.values(metafile.outputs)
      .flatMap(({ imports }) => imports)
      .filter(({ path }) => path === 'nodemailer')
    expect(asks.map(({ kind }) => kind)).toEqual(['dynamic-import'])
  } finally {
    rmSync(outdir, { recursive: true, force: true })
  }
})
