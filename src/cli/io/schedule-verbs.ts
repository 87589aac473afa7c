// `mariposa schedule …`
import type { Command } from 'commander'
import type { ListFlags } from './lists.js'
import { addNoun, allProjects, codeOf, type Verb, verb } from './program.js'

const schedule = codeOf(() => import('./schedule.js'))

export function addScheduleVerbs(program: Command): void {
  addNoun(program, 'schedule', ['schedules'], 'schedules of services, and their runs', scheduleVerbs)
}

const scheduleVerbs: readonly Verb<never>[] = [
  verb<ListFlags>({
    name: 'list',
    aliases: ['ls'],
    args: '[service]',
    summary: 'list schedules with their next firing',
    view: ['columns', 'long', 'quiet'],
    options: [allProjects],
    examples: ['mariposa schedule list', 'mariposa schedule ls report --json'],
    load: schedule(({ listSchedules }, shell, [service], flags) => listSchedules(shell, service, flags)),
  }),
  verb<ListFlags>({
    name: 'runs',
    args: '[service]',
    summary: 'list firings and other runs, the newest first: the instance of each, and how it ended',
    view: ['columns', 'long', 'quiet'],
    options: [allProjects],
    examples: ['mariposa schedule runs report', 'mariposa schedule runs -o dueAt,instance,result'],
    load: schedule(({ listRuns }, shell, [service], flags) => listRuns(shell, service, flags)),
  }),
]
