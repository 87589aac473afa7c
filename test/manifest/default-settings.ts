import { defaultCnsSuffixes } from '../../src/manifest/cns.js'
import { defaultPackages } from '../../src/manifest/default-packages.js'
import type { ManifestSettings } from '../../src/manifest/settings.js'

/** Those of a daemon that is told nothing. */
export const defaultSettings: ManifestSettings = {
  cns: defaultCnsSuffixes,
  packages: defaultPackages,
  mail: false,
}
