// What templates can say of another service of the project.

/** What templates may know of another service. */
export interface OtherService {
  readonly uuid: string
  /** It shares the network of its machine, so that its own ports are those of the machine. */
  readonly isProcess: boolean
  /** In the order of its manifest. */
  readonly ports: readonly OtherPort[]
}

/** A port of another service. */
export interface OtherPort {
  /** The address of the host that it is published on; null for all. */
  readonly ip: string | null
  /** Null: chosen for each instance. */
  readonly host: number | null
  readonly container: number
  readonly protocol: 'tcp' | 'udp'
}
