// `mariposa queue …`
import { type Command, Option } from 'commander'
import type { ScopeVerb } from '../scope-change.js'
import type { ListFlags } from './lists.js'
import { addNoun, allProjects, codeOf, timeoutOption, type Verb, verb } from './program.js'

const queue = codeOf(() => import('./queue.js'))

export function addQueueVerbs(program: Command): void {
  addNoun(program, 'queue', ['queues', 'task', 'tasks'], 'list, end and freeze changes', queueVerbs)
}

function scopeVerb(name: ScopeVerb, summary: string): Verb<never> {
  return verb<{ readonly service?: string }>({
    name,
    summary,
    view: ['quiet'],
    options: [new Option('--service <name>', 'only this service; default: the whole project')],
    examples: [`mariposa queue ${name}`, `mariposa queue ${name} --service web`],
    load: queue(({ changeScope }, shell, _, { service }) => changeScope(shell, name, service)),
  })
}

const queueVerbs: readonly Verb<never>[] = [
  verb<ListFlags & { readonly open?: boolean }>({
    name: 'list',
    aliases: ['ls'],
    summary: 'list the tasks of the project, the last twenty of each service',
    view: ['columns', 'long', 'quiet'],
    options: [new Option('--open', 'only unfinished tasks'), allProjects],
    examples: ['mariposa queue list', 'mariposa queue list --open --json'],
    load: queue(({ listTasks }, shell, _, flags) => listTasks(shell, flags)),
  }),
  verb({
    name: 'watch',
    args: '<task>',
    summary: 'follow a task until it is finished',
    view: ['quiet'],
    options: [timeoutOption],
    examples: ['mariposa queue watch 6fa459ea-ee8a-5ca4-894e-db77e160355e'],
    load: queue(({ watchTask }, shell, [uuid = '']) => watchTask(shell, uuid)),
  }),
  verb<{ readonly freeze?: boolean }>({
    name: 'stop',
    aliases: ['terminate'],
    args: '<task>',
    summary: 'end a task: it replaces, stops and starts no further instances',
    view: ['quiet'],
    options: [new Option('--freeze', 'freeze its scope as well')],
    examples: [
      'mariposa queue stop 6fa459ea-ee8a-5ca4-894e-db77e160355e',
      'mariposa queue terminate 6fa459ea-ee8a-5ca4-894e-db77e160355e --freeze',
    ],
    load: queue(({ terminateTask }, shell, [uuid = ''], { freeze = false }) =>
      terminateTask(shell, uuid, freeze),
    ),
  }),
  scopeVerb(
    'freeze',
    'end running tasks and refuse all changes, including automatic ones, until unfreeze; instances go on running',
  ),
  scopeVerb('unfreeze', 'allow changes again'),
  scopeVerb('release', 'replace lost instances now, although most machines vanished together'),
]
