// `mariposa project …`
import { type Command, Option } from 'commander'
import type { DeployFlags, WaitFlags } from './change.js'
import { addNoun, codeOf, count, duration, type Verb, verb, waitOptions } from './program.js'
import { refresh, waitForRoom } from './service-verbs.js'

const project = codeOf(() => import('./project.js'))
const change = codeOf(() => import('./change.js'))

export function addProjectVerbs(program: Command): void {
  addNoun(
    program,
    'project',
    ['projects', 'prj'],
    'deploy, show, stop and start whole projects',
    projectVerbs,
  )
}

const projectVerbs: readonly Verb<never>[] = [
  verb({
    name: 'list',
    aliases: ['ls'],
    summary: 'list projects with the total scale and status of their services',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa project list', 'mariposa projects ls --json'],
    load: project(({ listProjects }, shell) => listProjects(shell)),
  }),
  verb({
    name: 'show',
    aliases: ['get'],
    args: '[name]',
    summary: 'show a project with its services; default: the project of --project',
    view: ['long'],
    examples: ['mariposa project show shop', 'mariposa project show --project shop --json'],
    load: project(({ showProject }, shell, [name]) => showProject(shell, name)),
  }),
  verb<DeployFlags>({
    name: 'deploy',
    args: '<files...>',
    summary: 'create or update the services of a project as one change (FILE, DIR or -)',
    view: ['quiet'],
    options: [
      new Option('--plan', 'only show what would change: manifests, instances, machines'),
      new Option('--expect <plan>', 'refuse unless a plan made now has this id'),
      new Option('--prune', 'remove the services of the project that the files do not name'),
      new Option(
        '--rolling <n>',
        'number of instances of each service that are replaced at a time',
      ).argParser(count(1)),
      new Option(
        '--deadline <duration>',
        'time limit for each new instance to come up; default 10m',
      ).argParser(duration),
      new Option(
        '--auto-revert',
        'return a service to its previous version if the new instances do not come up',
      ),
      waitForRoom,
      refresh,
      ...waitOptions,
    ],
    examples: [
      'mariposa project deploy shop.yml --project shop',
      'mariposa project deploy shop/ --project shop --plan --prune',
      'mariposa project deploy web.yml db.yml --project shop --prune',
    ],
    load: change(({ deployProject }, shell, args, flags) => deployProject(shell, args, flags)),
  }),
  verb<WaitFlags>({
    name: 'stop',
    args: '[name]',
    summary: 'stop all services of a project',
    view: ['quiet'],
    options: waitOptions,
    examples: ['mariposa project stop shop', 'mariposa project stop --project shop --timeout 30s'],
    load: project(({ stopProject }, shell, [name], flags) => stopProject(shell, name, flags)),
  }),
  verb<WaitFlags>({
    name: 'start',
    args: '[name]',
    summary: 'start the stopped services of a project, each at its earlier scale',
    view: ['quiet'],
    options: waitOptions,
    examples: ['mariposa project start shop', 'mariposa project start --project shop --detach'],
    load: project(({ startProject }, shell, [name], flags) => startProject(shell, name, flags)),
  }),
  verb<WaitFlags & { readonly force?: boolean }>({
    name: 'delete',
    aliases: ['rm'],
    args: '[name]',
    summary: 'remove a project: services, versions, metadata; refused while instances run',
    view: ['quiet'],
    options: [new Option('--force', 'stop running instances first'), ...waitOptions],
    examples: ['mariposa project delete shop', 'mariposa project rm --project shop --force'],
    load: project(({ deleteProject }, shell, [name], flags) => deleteProject(shell, name, flags)),
  }),
]
