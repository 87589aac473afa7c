// Named volumes: data of a service that outlives its instances.

/** Which volume: its name is unique in its service. It is on one machine; others may have one of the same name. */
export interface VolumeName {
  readonly project: string
  readonly service: string
  readonly name: string
}

/** A volume as an instance asks for it. */
export interface VolumeMount {
  readonly name: string
  /** Where the instance finds it. */
  readonly path: string
  readonly readonly: boolean
}

/** What names of volumes look like. */
export const volumeNamePattern = '[A-Za-z0-9][A-Za-z0-9_-]{0,62}'

/** `<project>.<service>.<name>`: no part of it has a dot. */
export function volumeKey({ project, service, name }: VolumeName): string {
  return `${project}.${service}.${name}`
}

/** The volume of such a key; null where it is none. */
export function parseVolumeKey(key: string): VolumeName | null {
  const [, project, service, name] = volumeKeyPattern.exec(key) ?? []
  if (project === undefined || service === undefined || name === undefined) return null
  return { project, service, name }
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const volumeKeyPattern = new RegExp(`^(${label})\\.(${label})\\.(${volumeNamePattern})$`)

/** The variable that tells a program where it finds a volume. */
export function volumeVariable(name: string): string {
  return `MARIPOSA_VOLUME_${name.toUpperCase().replaceAll('-', '_')}`
}

/** The volume that a variable of templates is about: `data` of `volume.data.path`; null for other variables. */
export function volumeOfTemplate(variable: string): string | null {
  return /^volume\.([A-Za-z0-9_-]+)\.path$/.exec(variable)?.[1] ?? null
}

/** What a manifest may say of a volume, as errors and the reference word it. */
export const volumeForms =
  'a volume such as "data:/var/lib/data", "/etc/ssl:/etc/ssl:ro", or a map with path and one of name, host and tmpfs'
