import type { Package } from '../model/package.js'
import type { PolicyHere } from '../model/policy.js'
import type { CnsSuffixes } from './cns.js'

/** What the daemon's own options say that manifests depend on. */
export interface ManifestSettings {
  readonly cns: CnsSuffixes
  readonly packages: readonly Package[]
  /** Whether there is a server that takes e-mails on. */
  readonly mail: boolean
}

/** What a daemon takes manifests by. */
export interface AdmissionSettings extends ManifestSettings {
  /** What the operator of its machine lets units do; absent or null: anything. */
  readonly policy?: PolicyHere | null
  /** Programs of the host run as root where their unit names no user; absent: they do not. */
  readonly asRoot?: boolean
}
