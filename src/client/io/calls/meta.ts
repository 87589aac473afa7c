// Metadata of projects.
import type {
  MetaBody,
  MetaCountRequest,
  MetaImportRequest,
  MetaImportResponse,
  MetaSetRequest,
} from '../../../contract/contract.js'
import { paths } from '../../../contract/contract.js'
import { lookAt } from '../../commands-to-check.js'
import { by, each } from '../../forms.js'
import type { Page, PageQuery } from '../../page.js'
import type { Requests } from '../requests.js'

export interface MetaCalls {
  meta(project: string, signal?: AbortSignal, page?: PageQuery): Promise<Page<MetaBody>>
  metaKey(project: string, key: string, signal?: AbortSignal): Promise<MetaBody>
  metaSet(project: string, key: string, request: MetaSetRequest, signal?: AbortSignal): Promise<MetaBody>
  metaRemove(
    project: string,
    key: string,
    cas: string | undefined,
    signal?: AbortSignal,
  ): Promise<{ readonly key: string }>
  metaCount(
    project: string,
    key: string,
    verb: 'incr' | 'decr',
    request: MetaCountRequest,
    signal?: AbortSignal,
  ): Promise<MetaBody>
  metaImport(project: string, request: MetaImportRequest, signal?: AbortSignal): Promise<MetaImportResponse>
}

export function metaCalls({ get, list, change, changeBy }: Requests): MetaCalls {
  return {
    meta: (project, signal, page) => list(each('key'), paths.meta(project), signal, page),
    metaKey: (project, key, signal) => get(by('key'), paths.metaKey(project, key), signal),
    metaSet: (project, key, request, signal) =>
      change(
        by('key'),
        lookAt.meta(project),
        { method: 'PUT', path: paths.metaKey(project, key), json: request },
        signal,
      ),
    metaRemove: (project, key, cas, signal) =>
      change(
        by('key'),
        lookAt.meta(project),
        { method: 'DELETE', path: paths.metaKey(project, key), query: { cas } },
        signal,
      ),
    metaCount: (project, key, verb, request, signal) =>
      changeBy(
        by('key'),
        lookAt.meta(project),
        verb === 'incr' ? paths.metaIncr(project, key) : paths.metaDecr(project, key),
        request,
        signal,
      ),
    metaImport: (project, request, signal) =>
      changeBy(by('set'), lookAt.meta(project), paths.metaImport(project), request, signal),
  }
}
