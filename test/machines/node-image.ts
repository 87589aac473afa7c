// Images with Node, made from the host's: nothing is pulled.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Docker from 'dockerode'
import { removeDir } from '../remove-dir.js'
import { librariesOf } from './host-programs.js'
import { insideMachine } from './nspawn.js'

/** Node alone. */
export const nodeImage = 'mariposa-node:latest'

export interface NodeImage {
  readonly names: readonly string[]
  /** Writes what it has besides. */
  readonly furnish?: (root: string) => void
  /** A line of a Dockerfile. */
  readonly changes?: string
}

/** Imports an image into the Dockers at these sockets; Node is where machines have it. */
export async function importNode(
  sockets: readonly string[],
  { names, furnish, changes }: NodeImage = { names: [nodeImage] },
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-node-image-'))
  try {
    const root = join(dir, 'root')
    put(process.execPath, join(root, insideMachine.node))
    for (const library of librariesOf(process.execPath)) put(library, join(root, library))
    furnish?.(root)
    const archive = join(dir, 'image.tar')
    execFileSync('tar', ['-C', root, '-cf', archive, '.'])
    await Promise.all(sockets.map((socket) => importInto(socket, archive, names, changes)))
  } finally {
    removeDir(dir)
  }
}

function put(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

async function importInto(
  socketPath: string,
  archive: string,
  names: readonly string[],
  changes: string | undefined,
): Promise<void> {
  const docker = new Docker({ socketPath })
  const [first = '', ...others] = names
  const progress = await docker.importImage(archive, { ...asked(first), ...(changes && { changes }) })
  progress.resume()
  await once(progress, 'end')
  await docker.getImage(first).inspect()
  for (const name of others) await docker.getImage(first).tag(asked(name))
}

function asked(name: string): { readonly repo: string; readonly tag: string } {
  const [repo = '', tag = 'latest'] = name.split(':')
  return { repo, tag }
}
