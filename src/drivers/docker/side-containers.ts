// Containers beside the one of a unit, which run another program in all that it has: an init step, a program that runs once.
import type { HostConfig, ImageConfig } from './api.js'
import { machineLabel, sideLabel, sideOfLabel, unitLabel } from './labels.js'
import { noRestart } from './restart-policy.js'

/** What `GET /containers/{id}/json` says of a container that those beside it have, too. */
export interface MainContainer {
  readonly Id: string
  readonly Name: string
  /** The id of its image. */
  readonly Image: string
  readonly Config: Readonly<Record<string, unknown>> & {
    readonly Labels: Readonly<Record<string, string>> | null
    readonly Env?: readonly string[] | null
    readonly Hostname?: string
  }
  readonly HostConfig: Readonly<Record<string, unknown>> & Partial<HostConfig>
}

/** One as `GET /containers/json` lists it. */
export interface ListedSide {
  readonly Id: string
  readonly Labels: Readonly<Record<string, string>> | undefined
}

/** What it runs. */
export interface SideProgram {
  /** What it is there for, which no other beside the same container is: the end of its name. */
  readonly place: string
  /** Takes the place of entrypoint and command. */
  readonly argv: readonly string[]
  /** Takes the place of the image; null, or left out: the same. */
  readonly image?: string | null
  /** Variables over those of the main one. */
  readonly environment?: Readonly<Record<string, string>>
  /** Settings of its own, over those of the main one. */
  readonly config?: Readonly<Record<string, unknown>>
  readonly host?: Readonly<Record<string, unknown>>
}

/** What a container beside another is there for. */
export function placeOfSide({ Labels }: ListedSide): string {
  return Labels?.[sideLabel] ?? ''
}

export function nameOfSide({ Name }: Pick<MainContainer, 'Name'>, place: string): string {
  return `${Name.replace(/^\//, '')}.${place}`
}

/**
 * A container without the variables and settings that it has of its image alone, for one beside it that has another. What its
 * unit says in the same words as the image goes, too.
 */
export function withoutImage(main: MainContainer, image: ImageConfig): MainContainer {
  const ofImage = new Map(Object.entries(image))
  const kept = Object.entries(main.Config).filter(
    ([key, value]) => !fromImage.includes(key) || value !== ofImage.get(key),
  )
  const Env = (main.Config.Env ?? []).filter((one) => image.Env?.includes(one) !== true)
  return { ...main, Config: { ...Object.fromEntries(kept), Labels: main.Config.Labels, Env } }
}

const fromImage = ['User', 'WorkingDir', 'StopSignal']

/**
 * The request for a container beside another: with its image, environment, user, network, limits and all its volumes and files.
 * It has no ports and no health check, and nothing restarts it.
 */
export function sideRequest(
  main: MainContainer,
  { place, argv, image, environment = {}, config = {}, host = {} }: SideProgram,
): object {
  const { ExposedPorts: _ports, Volumes: _volumes, Hostname: hostname, ...ofMain } = main.Config
  const { Binds: _binds, Mounts: _mounts, PortBindings: _bindings, ...hostOfMain } = main.HostConfig
  const isNamed = hostname !== undefined && !main.Id.startsWith(hostname)
  const mayBeNamed = !/^(?:container:|host$)/.test(hostOfMain.NetworkMode ?? '')
  return {
    ...ofMain,
    ...(isNamed && mayBeNamed && { Hostname: hostname }),
    ...config,
    Env: [
      ...(main.Config.Env ?? []),
      ...Object.entries(environment).map(([key, value]) => `${key}=${value}`),
    ],
    name: nameOfSide(main, place),
    Image: image ?? main.Image,
    Entrypoint: argv,
    Cmd: [],
    Healthcheck: { Test: ['NONE'] },
    Labels: sideLabels(main, place),
    HostConfig: { ...hostOfMain, ...host, RestartPolicy: noRestart, VolumesFrom: [main.Id] },
  }
}

/** Without the hash of a unit, so that nobody takes it for the container of one. */
function sideLabels({ Id, Config }: MainContainer, place: string): Readonly<Record<string, string>> {
  const { [unitLabel]: unit = '', [machineLabel]: machine = '' } = Config.Labels ?? {}
  return { [unitLabel]: unit, [machineLabel]: machine, [sideOfLabel]: Id, [sideLabel]: place }
}
