// The packages that there are where the daemon is given no list: three families, as Triton's public cloud had them.
import { uuidOf } from '../lib/hash.js'
import type { Package } from '../model/package.js'

const families = [
  {
    family: 'g4-highcpu',
    sizes: ['128M', '256M', '512M', '1G', '2G', '4G', '8G', '16G', '32G'],
    mbPerCore: 1_024,
  },
  { family: 'g4-general', sizes: ['4G', '8G', '16G', '32G'], mbPerCore: 4_096 },
  { family: 'g4-highram', sizes: ['16G', '32G', '64G', '110G', '222G'], mbPerCore: 8_192 },
] as const

/** MiB of disk for each MiB of memory. */
const diskFactor = 25

/** The packages that ship, the family with the most cores first. */
export const defaultPackages: readonly Package[] = families.flatMap(({ family, sizes, mbPerCore }) =>
  sizes.map((size): Package => {
    const name = `${family}-${size}`
    const ram = Number.parseInt(size, 10) * (size.endsWith('G') ? 1_024 : 1)
    const cpu = Math.ceil((ram / mbPerCore) * 100)
    return {
      // Most commands that read manifests have no use for it.
      get uuid() {
        return uuidOf('package', name)
      },
      name,
      family,
      ram,
      disk: ram * diskFactor,
      cpu,
    }
  }),
)
