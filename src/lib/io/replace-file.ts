// Small files that are written anew as a whole.
import { open, rename } from 'node:fs/promises'

/** Writes a text in place of what a file says: as a whole or not at all, whenever the power fails. For its owner alone. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const fresh = `${file}.new`
  const handle = await open(fresh, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(fresh, file)
}
