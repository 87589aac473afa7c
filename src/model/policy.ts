// What an operator lets units do on machines.
import type { DriverKind } from './driver-kind.js'

/** Null: anything, unless it says otherwise. */
export interface Policy {
  readonly drivers: readonly DriverKind[] | null
  /** Whether programs may run as root. */
  readonly root: boolean
  /** Directories and files of the host that volumes may be made of, with all below them. */
  readonly hostPaths: readonly string[] | null
  /** Whether containers may share the network of the host, or of another container. */
  readonly hostNetwork: boolean
  /** Those that may be added, without `CAP_`. Null: those that Docker gives anyway, and any to programs of the host. */
  readonly capabilities: readonly string[] | null
  /** Devices that containers may be given, with all below them, and `gpus`. Null: none. */
  readonly devices: readonly string[] | null
  /** Whether containers may be privileged; absent in that of an older daemon: they may not. */
  readonly privileged?: boolean
  /** Kernel parameters that containers may set, with all below them; absent in that of an older daemon. */
  readonly sysctls?: readonly string[] | null
  /** What the names of images begin with: registries, repositories. */
  readonly images: readonly string[] | null
}

/** A policy, and as whom programs run that do not say so. */
export interface PolicyHere {
  readonly policy: Policy
  /** Programs of the host run as root where their unit names no user. */
  readonly asRoot: boolean
}
