// `mariposa queue …`
import { type Command, Option } from 'commander'
import type { ListFlags } from './lists.js'
import { addNoun, addVerb, allProjects, timeoutOption } from './program.js'
import type { ScopeVerb } from './queue.js'

export function addQueueVerbs(program: Command): void {
  const queue = addNoun(program, 'queue', ['queues', 'task', 'tasks'], 'see, end and hold changes')
  addVerb<ListFlags & { readonly open?: boolean }>(queue, {
    name: 'list',
    aliases: ['ls'],
    summary: 'list the tasks of the project, the last twenty of each service',
    view: ['columns', 'long', 'quiet'],
    options: [new Option('--open', 'only those that are not over'), allProjects],
    examples: ['mariposa queue list', 'mariposa queue list --open --json'],
    load: async (_args, flags) => {
      const { listTasks } = await import('./queue.js')
      return (shell) => listTasks(shell, flags)
    },
  })
  addVerb(queue, {
    name: 'watch',
    args: '<task>',
    summary: 'follow a task until it is over',
    view: ['quiet'],
    options: [timeoutOption],
    examples: ['mariposa queue watch 6fa459ea-ee8a-5ca4-894e-db77e160355e'],
    load: async ([uuid = '']) => {
      const { watchTask } = await import('./queue.js')
      return (shell) => watchTask(shell, uuid)
    },
  })
  addVerb<{ readonly freeze?: boolean }>(queue, {
    name: 'stop',
    aliases: ['terminate'],
    args: '<task>',
    summary: 'end a task; nothing more is replaced, stopped or started for it',
    view: ['quiet'],
    options: [new Option('--freeze', 'freeze its scope as well')],
    examples: [
      'mariposa queue stop 6fa459ea-ee8a-5ca4-894e-db77e160355e',
      'mariposa queue terminate 6fa459ea-ee8a-5ca4-894e-db77e160355e --freeze',
    ],
    load: async ([uuid = ''], { freeze = false }) => {
      const { terminateTask } = await import('./queue.js')
      return (shell) => terminateTask(shell, uuid, freeze)
    },
  })
  addScopeVerb(queue, 'freeze', 'end what runs and hold all changes, automatic ones too, until unfreeze')
  addScopeVerb(queue, 'unfreeze', 'let changes through again')
  addScopeVerb(queue, 'release', 'replace what is lost, though most machines vanished together')
}

function addScopeVerb(queue: Command, name: ScopeVerb, summary: string): void {
  addVerb<{ readonly service?: string }>(queue, {
    name,
    summary,
    view: ['quiet'],
    options: [new Option('--service <name>', 'only this service; default: all of the project')],
    examples: [`mariposa queue ${name}`, `mariposa queue ${name} --service web`],
    load: async (_args, { service }) => {
      const { changeScope } = await import('./queue.js')
      return (shell) => changeScope(shell, name, service)
    },
  })
}
