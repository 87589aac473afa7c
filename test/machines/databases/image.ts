// An image with the databases, made from the base of the machines: Debian's own packages, with nothing pulled.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Docker from 'dockerode'
import { ensureBase } from '../nspawn.js'

export const databaseImage = 'mariposa-databases:latest'

/** What neither database needs, and is large: the compiler of queries, documentation, words in other languages. */
const leftOut = [
  './usr/lib/x86_64-linux-gnu/libLLVM*',
  './usr/share/doc',
  './usr/share/locale',
  './var/lib/apt',
]

/** Imports the image into the Docker at a socket. */
export async function importDatabases(socketPath: string): Promise<void> {
  const archive = join(tmpdir(), `mariposa-databases-${process.pid}.tar`)
  try {
    const without = [...leftOut, './usr/lib/postgresql/*/lib/llvmjit*', './dev/*'].map(
      (path) => `--exclude=${path}`,
    )
    await promisify(execFile)('tar', ['-C', await ensureBase(), ...without, '-cf', archive, '.'])
    const docker = new Docker({ socketPath })
    const [repo, tag] = databaseImage.split(':')
    const progress = await docker.importImage(archive, { repo, tag })
    progress.resume()
    await once(progress, 'end')
    await docker.getImage(databaseImage).inspect()
  } finally {
    rmSync(archive, { force: true })
  }
}
