// Services and their versions: deploying, scaling, stopping, deleting.
import type {
  CompileRequest,
  CompileResponse,
  DeleteRequest,
  DeployRequest,
  DeployResponse,
  ExplainBody,
  PlanResponse,
  ReprovisionRequest,
  RevertRequest,
  ScaleRequest,
  ServiceBody,
  ServiceDetails,
  StartRequest,
  StopRequest,
  TasksResponse,
  VersionDetails,
  VersionOfService,
} from '../../../contract/contract.js'
import { paths } from '../../../contract/contract.js'
import { lookAt } from '../../commands-to-check.js'
import { by, each } from '../../forms.js'
import type { Page, PageQuery } from '../../page.js'
import type { Requests } from '../requests.js'

export interface ServiceCalls {
  compile(project: string, request: CompileRequest, signal?: AbortSignal): Promise<CompileResponse>
  /** What a deploy would change; changes nothing. */
  plan(project: string, request: DeployRequest, signal?: AbortSignal): Promise<PlanResponse>
  deploy(project: string, request: DeployRequest, signal?: AbortSignal): Promise<DeployResponse>
  scale(project: string, request: ScaleRequest, signal?: AbortSignal): Promise<TasksResponse>
  services(project: string, signal?: AbortSignal, page?: PageQuery): Promise<Page<ServiceBody>>
  service(project: string, name: string, signal?: AbortSignal): Promise<ServiceDetails>
  stop(project: string, name: string, request: StopRequest, signal?: AbortSignal): Promise<TasksResponse>
  start(project: string, name: string, request: StartRequest, signal?: AbortSignal): Promise<TasksResponse>
  revert(project: string, name: string, request: RevertRequest, signal?: AbortSignal): Promise<TasksResponse>
  reprovision(
    project: string,
    name: string,
    request: ReprovisionRequest,
    signal?: AbortSignal,
  ): Promise<TasksResponse>
  versions(
    project: string,
    name: string,
    signal?: AbortSignal,
    page?: PageQuery,
  ): Promise<Page<VersionOfService>>
  /** `word` is a version's uuid, the beginning of that, or `service@ordinal`. */
  serviceVersion(project: string, word: string, signal?: AbortSignal): Promise<VersionDetails>
  delete(project: string, name: string, request: DeleteRequest, signal?: AbortSignal): Promise<TasksResponse>
  explain(project: string, name: string, signal?: AbortSignal): Promise<ExplainBody>
}

export function serviceCalls({ get, list, post, change, changeBy }: Requests): ServiceCalls {
  return {
    compile: (project, request, signal) => post(by('services'), paths.compile(project), request, signal),
    plan: (project, request, signal) => post(by('services'), paths.plan(project), request, signal),
    deploy: (project, request, signal) =>
      changeBy(by('services'), lookAt.tasks(project), paths.deploy(project), request, signal),
    scale: (project, request, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths.scale(project), request, signal),
    services: (project, signal, page) => list(each('name'), paths.services(project), signal, page),
    service: (project, name, signal) => get(by('name'), paths.service(project, name), signal),
    stop: (project, name, request, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths.stop(project, name), request, signal),
    start: (project, name, request, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths.start(project, name), request, signal),
    revert: (project, name, request, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths.revert(project, name), request, signal),
    reprovision: (project, name, request, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths.reprovision(project, name), request, signal),
    versions: (project, name, signal, page) =>
      list(each('uuid'), paths.versions(project, name), signal, page),
    serviceVersion: (project, word, signal) => get(by('uuid'), paths.versionNamed(project, word), signal),
    delete: (project, name, { force, volumes, join }, signal) => {
      const query = {
        ...(force && { force: 'true' }),
        ...(volumes && { volumes: 'true' }),
        ...(join && { join: 'true' }),
      }
      return change(
        by('tasks'),
        lookAt.tasks(project),
        { method: 'DELETE', path: paths.service(project, name), query },
        signal,
      )
    },
    explain: (project, name, signal) => get(by('instances'), paths.explain(project, name), signal),
  }
}
