// Files that an instance finds when it starts: where each of them is.

/** Files of these paths are secrets by what they are for. */
export const secretsDirectory = '/run/secrets'

/** Where a namespace of its own shows a program the files whose path is relative. */
const ownDirectory = '/run/mariposa/files'

/** The variable that says where files with a relative path are. */
export const filesVariable = 'MARIPOSA_FILES_DIR'

/** The variable that says where what is in `/run/secrets` for others is. */
export const secretsVariable = 'MARIPOSA_SECRETS_DIR'

/** One step of a path, without what would end it in a unit. */
const step = `(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+`

/** What paths of files look like: absolute, or relative to a directory of the instance's own. */
export const filePathPattern = `^/?${step}(?:/${step})*$`

/** The longest path. */
export const filePathAtMost = 1_000

/** The longest content, and the most that the files of a service hold together, in characters or bytes. */
export const fileAtMost = 256 * 1024
export const filesAtMost = 512 * 1024

/** What of the deployed directory the files of a service hold together, in bytes. */
export const sourcesAtMost = 256 * 1024

/** A file of the deployed directory, relative to it. */
export const sourcePathPattern = `^${step}(?:/${step})*$`

/** A file of the deployed directory, as it came with a manifest. */
export interface SourcedFile {
  /** Relative to the manifest's directory, as the manifest says it. */
  readonly path: string
  /** What it holds, in base64. */
  readonly data: string
}

/** What a program can be told with that a file has changed; any other signal would end most programs. */
export const changeSignals = ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const
/** A signal that tells a program of a changed file. */
export type ChangeSignal = (typeof changeSignals)[number]

/** Permissions, with a zero in front and without setuid, setgid and the sticky bit. */
export const fileModePattern = '^0[0-7]{3}$'

/** `user[:group]`, names or numbers. */
const account = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\\$?'
export const fileOwnerPattern = `^${account}(?::${account})?$`

/**
 * Where the path of a file leads. `secrets`: below `/run/secrets`, `own`: relative, in a directory of the instance's own, `path`: anywhere else, which takes
 * a file system that is the instance's own as well.
 */
export type FilePlace = 'secrets' | 'own' | 'path'

/** Where a file belongs, and its path there. */
export function placeOfFile(path: string): { readonly place: FilePlace; readonly below: string } {
  if (!path.startsWith('/')) return { place: 'own', below: path }
  if (path.startsWith(`${secretsDirectory}/`))
    return { place: 'secrets', below: path.slice(secretsDirectory.length + 1) }
  return { place: 'path', below: path.slice(1) }
}

/** Where a program finds its files. */
export interface FileDirectories {
  readonly own: string
  readonly secrets: string
}

/** In a file system of its own. */
export const inNamespace: FileDirectories = { own: ownDirectory, secrets: secretsDirectory }

/** Variables of templates that say where files are. */
export const fileVariables: ReadonlyMap<string, keyof FileDirectories> = new Map([
  ['files.dir', 'own'],
  ['secrets.dir', 'secrets'],
])

/** The variable of the program that says the same as one of templates. */
export const variableOfDirectory: Readonly<Record<keyof FileDirectories, string>> = {
  own: filesVariable,
  secrets: secretsVariable,
}

/** Of two paths, whether one is the other or lies in it. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory.replace(/\/$/, '')}/`)
}
