// Projects as a whole.
import type { ProjectBody, ProjectDetails, TasksResponse } from '../../../contract/contract.js'
import { paths } from '../../../contract/contract.js'
import { lookAt } from '../../commands-to-check.js'
import { by, each } from '../../forms.js'
import type { Page, PageQuery } from '../../page.js'
import type { Requests } from '../requests.js'

export interface ProjectCalls {
  projects(signal?: AbortSignal, page?: PageQuery): Promise<Page<ProjectBody>>
  project(project: string, signal?: AbortSignal): Promise<ProjectDetails>
  stopProject(project: string, signal?: AbortSignal): Promise<TasksResponse>
  startProject(project: string, signal?: AbortSignal): Promise<TasksResponse>
  deleteProject(project: string, force: boolean, signal?: AbortSignal): Promise<TasksResponse>
}

export function projectCalls({ get, list, change, changeBy }: Requests): ProjectCalls {
  return {
    projects: (signal, page) => list(each('name'), paths.projects, signal, page),
    project: (project, signal) => get(by('name'), paths.project(project), signal),
    stopProject: (project, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths.stopProject(project), {}, signal),
    startProject: (project, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths.startProject(project), {}, signal),
    deleteProject: (project, force, signal) =>
      change(
        by('tasks'),
        lookAt.tasks(project),
        { method: 'DELETE', path: paths.project(project), query: force ? { force: 'true' } : {} },
        signal,
      ),
  }
}
