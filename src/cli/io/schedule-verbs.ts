// `mariposa schedule …`
import type { Command } from 'commander'
import type { ListFlags } from './lists.js'
import { addNoun, addVerb, allProjects } from './program.js'

export function addScheduleVerbs(program: Command): void {
  const schedule = addNoun(
    program,
    'schedule',
    ['schedules'],
    'when services start by themselves, and their runs',
  )
  addVerb<ListFlags>(schedule, {
    name: 'list',
    aliases: ['ls'],
    args: '[service]',
    summary: 'list schedules with their next firing',
    view: ['columns', 'long', 'quiet'],
    options: [allProjects],
    examples: ['mariposa schedule list', 'mariposa schedule ls report --json'],
    load: async ([service], flags) => {
      const { listSchedules } = await import('./schedule.js')
      return (shell) => listSchedules(shell, service, flags)
    },
  })
  addVerb<ListFlags>(schedule, {
    name: 'runs',
    args: '[service]',
    summary: 'list firings and other runs, the newest first: what each started, and how that ended',
    view: ['columns', 'long', 'quiet'],
    options: [allProjects],
    examples: ['mariposa schedule runs report', 'mariposa schedule runs -o dueAt,instance,result'],
    load: async ([service], flags) => {
      const { listRuns } = await import('./schedule.js')
      return (shell) => listRuns(shell, service, flags)
    },
  })
}
