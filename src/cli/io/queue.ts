// Commands about the queue: what is being done, and holding it.
import type { TaskBody } from '../../contract/contract.js'
import { nameOf, taskColumns } from '../columns.js'
import { exitCodes } from '../command-error.js'
import { serviceOf } from '../progress.js'
import { describeScopeChange, type ScopeVerb } from '../scope-change.js'
import { printable } from '../table.js'
import { type ListFlags, printList } from './lists.js'
import { printJson, type Shell } from './shell.js'
import { followTasks } from './wait.js'

/** Oldest first, those that are over included. */
export function listTasks(
  shell: Shell,
  { open = false, ...flags }: ListFlags & { readonly open?: boolean },
): Promise<number> {
  const of = async (project: string): Promise<readonly TaskBody[]> => {
    const tasks = await shell.client.tasks(project, shell.signal)
    return open ? tasks.filter(({ finishedAt }) => finishedAt === null) : tasks
  }
  return printList(shell, flags, { columns: taskColumns, nameOf: nameOf.task, of })
}

/** Follows a task until it is over. */
export async function watchTask(shell: Shell, uuid: string): Promise<number> {
  await shell.client.task(uuid, shell.signal)
  const looks = await followTasks(shell, [uuid])
  if (shell.globals.json) printJson(shell, looks.map(({ task, instances }) => ({ ...task, instances }))[0])
  return exitCodes.done
}

/** Ends a task early; nothing more is done for it. */
export async function terminateTask(shell: Shell, uuid: string, freeze: boolean): Promise<number> {
  await shell.client.terminate(uuid, { freeze }, shell.signal)
  const task = await shell.client.task(uuid, shell.signal)
  if (shell.globals.json) printJson(shell, task)
  else if (!shell.globals.quiet)
    shell.terminal.out(`${task.scope}: ${task.task} ${task.state}: ${printable(task.error ?? '')}\n`)
  return exitCodes.done
}

/** Does it to a service, or to all of the project. */
export async function changeScope(
  shell: Shell,
  verb: ScopeVerb,
  service: string | undefined,
): Promise<number> {
  const { client, globals, terminal, signal } = shell
  const request = service === undefined ? {} : { service }
  const { tasks, ended = [] } = await client.changeScope(globals.project, verb, request, signal)
  const scope = service === undefined ? globals.project : `${globals.project}/${service}`
  if (globals.json) printJson(shell, tasks)
  else if (!globals.quiet) terminal.out(`${describeScopeChange(verb, scope, tasks)}\n`)
  for (const task of ended)
    terminal.err(`${serviceOf(task)}: ${task.task} ${task.state}: ${printable(task.error ?? '')}\n`)
  return exitCodes.done
}
