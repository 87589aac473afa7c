// Lists of what is in a project, or of what is in all of them.
import { ClientError } from '../../client/client-error.js'
import { exitCodes } from '../command-error.js'
import type { Column } from '../table.js'
import { printRows, type Shell } from './shell.js'

export interface ListFlags {
  readonly allProjects?: boolean
}

/** A kind of thing that a project has many of. */
interface Listing<Row> {
  readonly columns: readonly Column<Row>[]
  readonly nameOf: (row: Row) => string
  readonly of: (project: string) => Promise<readonly Row[]>
}

/** Prints the list of the project, or with `--all-projects` those of all as one, each row with its project. */
export async function printList<Row extends object>(
  shell: Shell,
  { allProjects = false }: ListFlags,
  { columns, nameOf, of }: Listing<Row>,
): Promise<number> {
  if (!allProjects) {
    printRows(shell, columns, await of(shell.globals.project), nameOf)
    return exitCodes.done
  }
  const projects = await shell.client.projects(shell.signal)
  await refuseUnknown(shell.globals.projectGiven, projects, of)
  const asked = await Promise.allSettled(
    projects.map(async ({ name }) => (await of(name)).map((row) => ({ ...row, project: name }))),
  )
  const lists = asked.map((one) => (one.status === 'fulfilled' ? one.value : notThere(one.reason)))
  const [first] = asked
  if (first?.status === 'rejected' && asked.every(({ status }) => status === 'rejected')) throw first.reason
  const withProject: readonly Column<Row & { readonly project: string }>[] = [
    { key: 'project', text: ({ project }) => project },
    ...columns.filter(({ key }) => key !== 'project'),
  ]
  printRows(shell, withProject, lists.flat(), (row) => `${row.project}/${nameOf(row)}`)
  return exitCodes.done
}

/** A project that is given makes no difference to the list; but one that nobody has heard of is a mistake here, too. */
async function refuseUnknown(
  given: string | undefined,
  known: readonly { readonly name: string }[],
  of: Listing<unknown>['of'],
): Promise<void> {
  if (given === undefined || known.some(({ name }) => name === given)) return
  await of(given).catch((error: unknown) => {
    if (error instanceof ClientError && error.code === 'project/unknown') throw error
  })
}

/** What one project lacks others may have: a service that is named; and one may be deleted between the two questions. */
function notThere(error: unknown): readonly never[] {
  if (error instanceof ClientError && error.status === 404) return []
  throw error
}
