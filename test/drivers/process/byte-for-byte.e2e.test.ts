import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { byteForByte } from '../byte-for-byte.js'
import { openProcessHost } from './process-host.js'

byteForByte('process', async () => {
  const { driver, dir, dispose } = await openProcessHost()
  return {
    driver,
    kind: { compute_type: 'process' },
    directory: async (name) => {
      const path = join(dir, name)
      await mkdir(path)
      return path
    },
    dispose,
  }
})
