/** A size of instances (contract §4): what a service with this package gets of a machine. */
export interface Package {
  readonly uuid: string
  readonly name: string
  /** Packages of one family differ in size alone. */
  readonly family: string
  /** MiB. */
  readonly ram: number
  /** MiB. */
  readonly disk: number
  /** Hundredths of a core. */
  readonly cpu: number
}
