// The parts of Docker's API (1.41) that the driver uses, in Docker's own spelling.

/** What a new container is asked to be: `POST /containers/create`. */
export interface CreateRequest {
  readonly name: string
  readonly Image: string
  readonly Labels: Readonly<Record<string, string>>
  readonly Env: readonly string[]
  readonly Cmd?: readonly string[]
  /** An empty one is none, where the image has one. */
  readonly Entrypoint?: readonly string[]
  readonly Healthcheck?: ImageHealthcheck
  readonly User?: string
  readonly WorkingDir?: string
  readonly Hostname?: string
  readonly StopSignal?: string
  /** Seconds; -1 waits without end. */
  readonly StopTimeout?: number
  readonly ExposedPorts: Readonly<Record<string, object>>
  readonly HostConfig: HostConfig
}

export interface HostConfig {
  readonly PortBindings: Readonly<
    Record<string, readonly { readonly HostIp: string; readonly HostPort: string }[]>
  >
  readonly RestartPolicy: RestartPolicy
  readonly Memory?: number
  /** Memory and swap together; -1 sets no limit. */
  readonly MemorySwap?: number
  /** Billionths of a core. */
  readonly NanoCpus?: number
  readonly ShmSize?: number
  readonly PidsLimit?: number
  readonly NetworkMode?: string
  readonly Dns?: readonly string[]
  readonly DnsOptions?: readonly string[]
  readonly DnsSearch?: readonly string[]
  readonly ExtraHosts?: readonly string[]
  readonly Binds?: readonly string[]
  readonly Tmpfs?: Readonly<Record<string, string>>
  readonly Mounts?: readonly (VolumeMount | BindMount)[]
  readonly Devices?: readonly Device[]
  readonly DeviceRequests?: readonly DeviceRequest[]
  readonly Privileged?: boolean
  readonly CapAdd?: readonly string[]
  readonly CapDrop?: readonly string[]
  readonly GroupAdd?: readonly string[]
  readonly Sysctls?: Readonly<Record<string, string>>
  readonly Ulimits?: readonly Ulimit[]
  readonly ReadonlyRootfs?: boolean
  readonly Init?: boolean
  readonly SecurityOpt?: readonly string[]
  readonly LogConfig?: { readonly Type: string; readonly Config: Readonly<Record<string, string>> }
}

/** A volume without a name, which Docker makes for the container. */
interface VolumeMount {
  readonly Type: 'volume'
  readonly Target: string
  readonly VolumeOptions: { readonly Labels: Readonly<Record<string, string>> }
}

/** A path of the machine, which has to be there. */
export interface BindMount {
  readonly Type: 'bind'
  readonly Source: string
  readonly Target: string
  readonly ReadOnly: true
}

export interface RestartPolicy {
  readonly Name: 'no' | 'on-failure' | 'always' | 'unless-stopped'
  /** Of `on-failure`; 0 sets no limit. */
  readonly MaximumRetryCount: number
}

export interface Device {
  readonly PathOnHost: string
  readonly PathInContainer: string
  readonly CgroupPermissions: string
}

/** What a runtime of the machine is asked for by what it can, such as GPUs. */
export interface DeviceRequest {
  readonly Driver: string
  /** -1 for all; 0 where they are named. */
  readonly Count: number
  readonly DeviceIDs?: readonly string[]
  readonly Capabilities: readonly (readonly string[])[]
}

export interface Ulimit {
  readonly Name: string
  readonly Soft: number
  readonly Hard: number
}

/** The health check of an image or a container. Times are nanoseconds, and 0 stands for Docker's own. */
export interface ImageHealthcheck {
  /** `[]` is what the image has, `['NONE']` none; else `CMD` or `CMD-SHELL` and what follows. */
  readonly Test?: readonly string[]
  readonly Interval?: number
  readonly Timeout?: number
  readonly StartPeriod?: number
  readonly StartInterval?: number
  readonly Retries?: number
}

/** What an image says of its containers, in `GET /images/{name}/json`. */
export interface ImageConfig {
  readonly Env?: readonly string[] | null
  readonly Entrypoint?: readonly string[] | null
  readonly Cmd?: readonly string[] | null
  readonly Shell?: readonly string[] | null
  readonly Healthcheck?: ImageHealthcheck | null
  /** By path. */
  readonly Volumes?: Readonly<Record<string, object>> | null
}

/** A container as `GET /containers/{id}/json` shows it. */
export interface Inspected {
  readonly Id: string
  readonly RestartCount: number
  readonly State: {
    readonly Status: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead'
    readonly Pid: number
    readonly ExitCode: number
    readonly OOMKilled: boolean
    /** Why the last start failed; empty when it did not. */
    readonly Error: string
    /** RFC 3339; the year 1 stands for never. */
    readonly StartedAt: string
    readonly FinishedAt: string
  }
  readonly Config: { readonly Labels: Readonly<Record<string, string>> | null }
  readonly HostConfig: { readonly RestartPolicy: RestartPolicy }
  readonly NetworkSettings: {
    readonly IPAddress?: string
    readonly Networks?: Readonly<Record<string, { readonly IPAddress?: string } | null>> | null
  }
}

/** One line of `GET /events`. */
export interface ContainerEvent {
  readonly Action: string
  /** Nanoseconds since 1970, of which JavaScript keeps enough. */
  readonly timeNano: number
  readonly Actor: { readonly ID: string; readonly Attributes: Readonly<Record<string, string>> }
}
