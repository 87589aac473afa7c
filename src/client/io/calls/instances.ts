// Instances, their logs, and programs that run beside them; runs of event and scheduled services.
import type { ExecFrame, InstanceBody, LogRecord, RunBody, ScheduleBody } from '../../../contract/contract.js'
import { execHeader, paths } from '../../../contract/contract.js'
import { anything, by, each } from '../../forms.js'
import type { Page, PageQuery } from '../../page.js'
import type { ExecQuery, LogsQuery, RunQuery } from '../../queries.js'
import { execQuery, logsQuery } from '../../queries.js'
import type { Requests } from '../requests.js'

export interface InstanceCalls {
  /** Of one service, or of all of the project. */
  instances(
    project: string,
    service: string | null,
    signal?: AbortSignal,
    page?: PageQuery,
  ): Promise<Page<InstanceBody>>
  logs(project: string, name: string, query: LogsQuery, signal?: AbortSignal): AsyncIterable<LogRecord>
  /** Runs a program beside an instance; `stdin` is sent while frames come in. With a terminal, `onId` is told its id. */
  exec(
    project: string,
    instance: string,
    query: ExecQuery,
    stdin: NodeJS.ReadableStream,
    signal?: AbortSignal,
    onId?: (exec: string) => void,
  ): AsyncIterable<ExecFrame>
  /** Runs a program once as an instance of a service, which is taken away then. */
  run(
    project: string,
    service: string,
    query: RunQuery,
    stdin: NodeJS.ReadableStream,
    signal?: AbortSignal,
  ): AsyncIterable<ExecFrame>
  /** Leaves a program in its terminal, whatever is on the way to it. */
  detach(project: string, instance: string, exec: string, signal?: AbortSignal): Promise<unknown>
  runs(
    project: string,
    service: string | undefined,
    signal?: AbortSignal,
    page?: PageQuery,
  ): Promise<Page<RunBody>>
  schedules(
    project: string,
    service: string | undefined,
    signal?: AbortSignal,
    page?: PageQuery,
  ): Promise<Page<ScheduleBody>>
}

export function instanceCalls({ json, list, lines }: Requests): InstanceCalls {
  return {
    instances: (project, service, signal, page) =>
      list(each('name'), paths.instances(project), signal, page, { service: service ?? undefined }),
    logs: (project, name, query, signal) =>
      lines(by('line'), { method: 'GET', path: paths.logs(project, name), query: logsQuery(query) }, signal),
    exec: (project, instance, query, stdin, signal, onId) =>
      lines(
        anything,
        { method: 'POST', path: paths.exec(project, instance), query: execQuery(query), body: stdin },
        signal,
        ({ [execHeader]: id }) => (typeof id === 'string' ? onId?.(id) : undefined),
      ),
    run: (project, service, { set, ...query }, stdin, signal) =>
      lines(
        anything,
        {
          ...{ method: 'POST', path: paths.run(project, service), body: stdin },
          query: { ...execQuery(query), set },
        },
        signal,
      ),
    detach: (project, instance, exec, signal) =>
      json(anything, { method: 'POST', path: paths.detach(project, instance), query: { exec } }, signal),
    runs: (project, service, signal, page) =>
      list(each('dueAt'), paths.runs(project), signal, page, { service }),
    schedules: (project, service, signal, page) =>
      list(each('service'), paths.schedules(project), signal, page, { service }),
  }
}
