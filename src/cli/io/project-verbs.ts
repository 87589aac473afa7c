// `mariposa project …`
import { type Command, Option } from 'commander'
import type { DeployFlags, WaitFlags } from './change.js'
import { addNoun, addVerb, count, duration, waitOptions } from './program.js'
import { refresh, waitForRoom } from './service-verbs.js'

export function addProjectVerbs(program: Command): void {
  const project = addNoun(program, 'project', ['projects', 'prj'], 'deploy and look at projects as a whole')
  addLookingVerbs(project)
  addDeploy(project)
  addWholeVerbs(project)
}

function addLookingVerbs(project: Command): void {
  addVerb(project, {
    name: 'list',
    aliases: ['ls'],
    summary: 'list projects with the scale and the status of all their services',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa project list', 'mariposa projects ls --json'],
    load: async () => {
      const { listProjects } = await import('./project.js')
      return listProjects
    },
  })
  addVerb(project, {
    name: 'show',
    aliases: ['get'],
    args: '[name]',
    summary: 'show a project with its services; without a name that of --project',
    view: ['long'],
    examples: ['mariposa project show shop', 'mariposa project show --project shop --json'],
    load: async ([name]) => {
      const { showProject } = await import('./project.js')
      return (shell) => showProject(shell, name)
    },
  })
}

function addDeploy(project: Command): void {
  addVerb<DeployFlags>(project, {
    name: 'deploy',
    args: '<files...>',
    summary: 'create or update the services of a project as one change (FILE, DIR or -)',
    view: ['quiet'],
    options: [
      new Option('--plan', 'only tell what would change: manifests, instances, machines'),
      new Option('--expect <plan>', 'refuse unless this plan (its id) is still what would be done'),
      new Option('--prune', 'remove the services of the project that the files do not name'),
      new Option('--rolling <n>', 'how many instances of each service are replaced at a time').argParser(
        count(1),
      ),
      new Option('--deadline <duration>', 'how long each new instance may take; default 10m').argParser(
        duration,
      ),
      new Option('--auto-revert', 'a service whose new instances do not come up goes back'),
      waitForRoom,
      refresh,
      ...waitOptions,
    ],
    examples: [
      'mariposa project deploy shop.yml --project shop',
      'mariposa project deploy shop/ --project shop --plan --prune',
      'mariposa project deploy web.yml db.yml --project shop --prune',
    ],
    load: async (args, flags) => {
      const { deploy } = await import('./change.js')
      return (shell) => deploy(shell, args, flags)
    },
  })
}

function addWholeVerbs(project: Command): void {
  addVerb<WaitFlags>(project, {
    name: 'stop',
    args: '[name]',
    summary: 'stop all services of a project',
    view: ['quiet'],
    options: waitOptions,
    examples: ['mariposa project stop shop', 'mariposa project stop --project shop --timeout 30s'],
    load: async ([name], flags) => {
      const { stopProject } = await import('./project.js')
      return (shell) => stopProject(shell, name, flags)
    },
  })
  addVerb<WaitFlags>(project, {
    name: 'start',
    args: '[name]',
    summary: 'start the stopped services of a project, each at the scale it had',
    view: ['quiet'],
    options: waitOptions,
    examples: ['mariposa project start shop', 'mariposa project start --project shop --detach'],
    load: async ([name], flags) => {
      const { startProject } = await import('./project.js')
      return (shell) => startProject(shell, name, flags)
    },
  })
  addVerb<WaitFlags & { readonly force?: boolean }>(project, {
    name: 'delete',
    aliases: ['rm'],
    args: '[name]',
    summary: 'remove a project: services, versions, metadata; refused while instances run',
    view: ['quiet'],
    options: [new Option('--force', 'stop what runs first'), ...waitOptions],
    examples: ['mariposa project delete shop', 'mariposa project rm --project shop --force'],
    load: async ([name], flags) => {
      const { deleteProject } = await import('./project.js')
      return (shell) => deleteProject(shell, name, flags)
    },
  })
}
