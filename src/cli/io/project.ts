// Commands about a project as a whole.
import { defaultProject, type TaskBody } from '../../contract/contract.js'
import { nameOf, projectColumns } from '../columns.js'
import { exitCodes, usageError } from '../command-error.js'
import { describeProject } from '../details.js'
import { finish, type WaitFlags } from './change.js'
import { cellView, printJson, printRows, type Shell } from './shell.js'

export async function listProjects(shell: Shell): Promise<number> {
  printRows(shell, projectColumns, await shell.client.projects(shell.signal), nameOf.project)
  return exitCodes.done
}

export async function showProject(shell: Shell, name: string | undefined): Promise<number> {
  const project = await shell.client.project(projectOf(shell, name), shell.signal)
  if (shell.globals.json) printJson(shell, project)
  else shell.terminal.out(describeProject(project, cellView(shell)))
  return exitCodes.done
}

export async function stopProject(shell: Shell, name: string | undefined, flags: WaitFlags): Promise<number> {
  const project = projectOf(shell, name)
  const { tasks } = await shell.client.stopProject(project, shell.signal)
  return finishAll(shell, tasks, flags, `${project}: nothing runs`)
}

export async function startProject(
  shell: Shell,
  name: string | undefined,
  flags: WaitFlags,
): Promise<number> {
  const project = projectOf(shell, name)
  const { tasks } = await shell.client.startProject(project, shell.signal)
  return finishAll(shell, tasks, flags, `${project}: no service of it is stopped`)
}

/** Removes a project with all that it has; the daemon refuses while instances run, unless forced. */
export async function deleteProject(
  shell: Shell,
  name: string | undefined,
  flags: WaitFlags & { readonly force?: boolean },
): Promise<number> {
  const project = projectOf(shell, name)
  const { tasks } = await shell.client.deleteProject(project, flags.force ?? false, shell.signal)
  return finishAll(shell, tasks, flags, `${project}: deleted`)
}

/** The project that a command is about: its argument, or `--project`. Both may only say the same. */
function projectOf({ globals }: Shell, name: string | undefined): string {
  if (name === undefined || name === globals.project) return globals.project
  if (globals.project === defaultProject) return name
  throw usageError(`two projects are named: ${name} and ${globals.project}`, 'name one')
}

/** Where no service has anything to do, that is said instead. */
async function finishAll(
  shell: Shell,
  tasks: readonly TaskBody[],
  flags: WaitFlags,
  otherwise: string,
): Promise<number> {
  const { globals, terminal } = shell
  if (tasks.length === 0 && !globals.json && !globals.quiet && !flags.detach) terminal.out(`${otherwise}\n`)
  return finish(shell, tasks, flags)
}
