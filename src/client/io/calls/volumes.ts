// Named volumes: listing, deleting, backing up, moving.
import type {
  DeletedVolume,
  MoveVolumeRequest,
  VolumeBackupBody,
  VolumeBody,
  VolumeCloned,
  VolumeRestored,
  VolumesBody,
} from '../../../contract/contract.js'
import { paths } from '../../../contract/contract.js'
import { lookAt } from '../../commands-to-check.js'
import { by, each } from '../../forms.js'
import type { Next, Page, PageQuery } from '../../page.js'
import type { VolumesQuery } from '../../queries.js'
import type { Requests } from '../requests.js'
import { longPatience } from '../silence.js'
import type { VolumeArchive } from '../volume-archive.js'

/** How a volume is read for a backup. */
interface HowToRead {
  /** `live`, `paused` or `stopped`. */
  readonly consistency: string
  /** Leaves out `before_backup`. */
  readonly skipHook?: boolean
  /** How long what runs with it is paused at the most; of `paused` alone. Default: a minute. */
  readonly pauseAtMostMs?: number
}

export interface VolumeCalls {
  /** Named volumes of all projects and machines, or of those that are named. */
  volumes(of: VolumesQuery, signal?: AbortSignal, page?: PageQuery): Promise<VolumesBody & Next>
  /** One by its uuid, the beginning of that, or its name in a project. */
  volume(project: string, word: string, signal?: AbortSignal): Promise<VolumeBody>
  /** Backups by schedule of the volumes of a project, or of one service, and the next ones. */
  volumeBackups(
    project: string,
    service?: string,
    signal?: AbortSignal,
    page?: PageQuery,
  ): Promise<Page<VolumeBackupBody>>
  /** Deletes one for good. */
  deleteVolume(project: string, word: string, force: boolean, signal?: AbortSignal): Promise<DeletedVolume>
  /** What is in one, as it is read. */
  backUpVolume(project: string, word: string, how: HowToRead, signal?: AbortSignal): Promise<VolumeArchive>
  /** Puts what is in one in the place of what another one has, or into one of a slot that is made for it on `machine`. */
  cloneVolume(
    project: string,
    word: string,
    how: HowToRead & {
      readonly to: string
      readonly force?: boolean
      readonly machine?: string | null
    },
    signal?: AbortSignal,
  ): Promise<VolumeCloned>
  /** What the daemon of the machine asks for that a volume moves to: the whole of it as a tar archive. `hold`: the move's id. */
  exportVolume(word: string, hold: string, signal?: AbortSignal): Promise<VolumeArchive>
  /** Has the volumes of a slot move, or ends that; does not wait for it. */
  moveVolume(
    project: string,
    word: string,
    request: MoveVolumeRequest,
    signal?: AbortSignal,
  ): Promise<VolumeBody>
  /** What a backup by schedule holds. */
  readVolumeBackup(project: string, id: string, signal?: AbortSignal): Promise<VolumeArchive>
  /**
   * Puts what a backup holds in the place of what one has, or into one of a slot that is made for it on `machine`. Of a backup by
   * schedule, `backup` is its id, and `archive` null.
   */
  restoreVolume(
    project: string,
    word: string,
    how: {
      readonly force: boolean
      readonly sha256: string | null
      readonly machine?: string | null
      readonly backup?: string | null
    },
    archive: NodeJS.ReadableStream | null,
    signal?: AbortSignal,
  ): Promise<VolumeRestored>
}

function queryToRead({ consistency, skipHook, pauseAtMostMs }: HowToRead) {
  return {
    consistency,
    ...(skipHook && { skipHook: 'true' }),
    ...(pauseAtMostMs !== undefined && { pauseAtMost: String(pauseAtMostMs / 1000) }),
  }
}

export function volumeCalls({ json, get, list, change, download }: Requests): VolumeCalls {
  return {
    volumes: (of, signal, page) => list(by('volumes'), paths.volumes, signal, page, { ...of }),
    volume: (project, word, signal) => get(by('uuid'), paths.volume(word), signal, { project }),
    volumeBackups: (project, service, signal, page) =>
      list(each('dueAt'), paths.volumeBackups(project), signal, page, { service }),
    deleteVolume: (project, word, force, signal) =>
      change(
        by('uuid'),
        lookAt.volumes,
        { method: 'DELETE', path: paths.volume(word), query: { project, ...(force && { force: 'true' }) } },
        signal,
      ),
    backUpVolume: async (project, word, how, signal) => {
      const request = { method: 'POST', path: paths.volumeBackup(word), patience: longPatience } as const
      return await download({ ...request, query: { project, ...queryToRead(how) } }, signal)
    },
    cloneVolume: (project, word, { to, force, machine = null, ...how }, signal) =>
      json(
        by('sha256'),
        {
          ...{ method: 'POST', path: paths.volumeClone(word), patience: longPatience },
          query: {
            ...{ project, to, ...queryToRead(how) },
            ...(force && { force: 'true' }),
            ...(machine !== null && { machine }),
          },
        },
        signal,
      ),
    exportVolume: async (word, hold, signal) => {
      const request = { method: 'POST', path: paths.volumeExport(word), patience: longPatience } as const
      return await download({ ...request, query: { hold } }, signal)
    },
    moveVolume: (project, word, request, signal) =>
      change(
        by('uuid'),
        lookAt.volumes,
        { method: 'POST', path: paths.volumeMove(word), query: { project }, json: request },
        signal,
      ),
    readVolumeBackup: async (project, id, signal) =>
      await download(
        { method: 'POST', path: paths.volumeBackupRead(project, id), patience: longPatience },
        signal,
      ),
    restoreVolume: (project, word, { force, sha256, machine = null, backup = null }, archive, signal) =>
      json(
        by('sha256'),
        {
          ...{ method: 'POST', path: paths.volumeRestore(word), patience: longPatience },
          ...(archive !== null && { body: archive }),
          query: {
            project,
            ...(force && { force: 'true' }),
            ...(sha256 !== null && { sha256 }),
            ...(machine !== null && { machine }),
            ...(backup !== null && { backup }),
          },
        },
        signal,
      ),
  }
}
