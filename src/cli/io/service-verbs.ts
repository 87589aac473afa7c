// `mariposa service …`
import type { Command } from 'commander'
import { Option } from 'commander'
import type { DeleteRequest } from '../../contract/contract.js'
import type {
  DeadlineFlag,
  DeployFlags,
  ReprovisionFlags,
  RolloutFlags,
  SetFlag,
  StopFlags,
  WaitFlags,
} from './change.js'
import type { EventsFlags } from './events.js'
import { eventOptions } from './events-verb.js'
import type { ExecFlags, LogFlags, RunFlags } from './follow.js'
import type { ListFlags } from './lists.js'
import {
  addNoun,
  allProjects,
  append,
  codeOf,
  count,
  duration,
  type Verb,
  verb,
  waitOptions,
} from './program.js'

const change = codeOf(() => import('./change.js'))
const schedule = codeOf(() => import('./schedule.js'))
const versions = codeOf(() => import('./versions.js'))
const look = codeOf(() => import('./read-commands.js'))
const follow = codeOf(() => import('./follow.js'))
const events = codeOf(() => import('./events.js'))

const rolloutOptions: readonly Option[] = [
  new Option('--rolling <n>', 'number of instances that are replaced at a time; default 1').argParser(
    count(1),
  ),
  new Option(
    '--canary <n>',
    'replace only this number of instances; a later reprovision replaces the others',
  ).argParser(count(1)),
  new Option('--count <n>', 'the same as --canary').argParser(count(1)),
  new Option('--deadline <duration>', 'time limit for each new instance to come up; default 10m').argParser(
    duration,
  ),
  new Option('--previous <version>', 'refuse unless this is the current version (uuid or number)'),
]

/** For all verbs that deploy. */
export const waitForRoom = new Option(
  '--wait-for-room',
  'if no machine has room, let the instances wait; without this the deploy is refused',
)

/** For all verbs that may deploy an existing service. */
export const refresh = new Option(
  '--refresh',
  'make a new version if a tag now stands for another image, or metadata has changed',
)

const updateOptions: readonly Option[] = [
  ...rolloutOptions,
  new Option('--auto-revert', 'return to the previous version if the new instances do not come up'),
  waitForRoom,
  refresh,
]

const prefetch = new Option(
  '--prefetch',
  'make every machine that may run it pull the image first; deploy nothing if one of them fails',
)

export function addServiceVerbs(program: Command): void {
  addNoun(program, 'service', ['services', 'svc', 'svcs'], 'deploy, scale and show services', serviceVerbs)
}

/** For verbs whose new instances wait for room without a limit. */
const deadlineOfNew = new Option(
  '--deadline <duration>',
  'time limit for each new instance to come up; default: no limit',
).argParser(duration)

/** For verbs that stop instances, which may take long or never end. */
const now = new Option('--now', 'kill stopping instances at once, whatever they wait for')

/** Options of verbs that print logs. */
export function logOptions(): readonly Option[] {
  return [
    new Option('-f, --follow', 'continue with new lines as they are written'),
    new Option('--since <time>', 'only lines since then: 10m, or an RFC 3339 time'),
    new Option('--tail <n>', 'only this number of last lines, of all instances together').argParser(count(0)),
    new Option('-t, --timestamps', 'print the time before each line'),
  ]
}

const version = new Option('--version <version>', 'only instances of this version (uuid or number)')

const serviceVerbs: readonly Verb<never>[] = [
  verb<DeployFlags>({
    name: 'deploy',
    args: '<files...>',
    summary: 'create services or update them, all files as one change (FILE, DIR or - for standard input)',
    view: ['quiet'],
    options: [
      new Option(
        '--scale <n>',
        'number of instances; default: the present number, 1 for a new service',
      ).argParser(count(0)),
      new Option('--plan', 'only show what would change: manifests, instances, machines'),
      new Option('--expect <plan>', 'refuse unless a plan made now has this id'),
      ...updateOptions,
      prefetch,
      ...waitOptions,
    ],
    examples: [
      'mariposa service deploy web.yml',
      'mariposa service deploy web.yml --plan',
      'mariposa service deploy web.yml --canary 1',
      'mariposa service deploy web.yml --rolling 2 --auto-revert',
      'mariposa service deploy --scale 3 web.yml db.yml',
      'mariposa service deploy big.yml --wait-for-room',
      'mariposa service deploy web.yml --refresh',
      'mariposa service deploy web.yml --prefetch',
      'mariposa service deploy shop/',
      'cat web.yml | mariposa service deploy - --detach',
    ],
    load: change(({ deploy }, shell, args, flags) => deploy(shell, args, flags)),
  }),
  verb<DeployFlags>({
    name: 'plan',
    args: '<files...>',
    summary: 'show what a deploy would change, without changing it: the same as deploy --plan',
    options: [
      new Option('--scale <n>', 'number of instances; default: the present number').argParser(count(0)),
      ...updateOptions,
    ],
    examples: ['mariposa service plan web.yml', 'mariposa service plan shop/ --json'],
    load: change(({ deploy }, shell, args, flags) => deploy(shell, args, { ...flags, plan: true })),
  }),
  verb<WaitFlags & DeadlineFlag>({
    name: 'scale',
    args: '<targets...>',
    summary: 'set the number of instances: NAME N, NAME +N, NAME -N, NAME=N …',
    view: ['quiet'],
    options: [deadlineOfNew, ...waitOptions],
    examples: [
      'mariposa service scale web 3',
      'mariposa service scale web 5 --deadline 2m',
      'mariposa service scale web -1',
      'mariposa service scale web=3 db=+1',
    ],
    load: change(({ scale }, shell, args, flags) => scale(shell, args, flags)),
  }),
  verb<StopFlags>({
    name: 'stop',
    args: '<names...>',
    summary: 'stop all instances of services',
    view: ['quiet'],
    options: [version, now, ...waitOptions],
    examples: [
      'mariposa service stop web',
      'mariposa service stop web worker',
      'mariposa service stop web --timeout 30s',
      'mariposa service stop web --now',
    ],
    load: change(({ stop }, shell, names, flags) => stop(shell, names, flags)),
  }),
  verb<StopFlags & DeadlineFlag & SetFlag>({
    name: 'start',
    args: '<names...>',
    summary: 'start stopped services at their earlier scale, or one more instance of an event service',
    view: ['quiet'],
    options: [
      new Option('--version <version>', 'make this version current first (uuid or number)'),
      new Option('--set <key=value>', 'a variable for this run only; may be repeated').argParser(append),
      deadlineOfNew,
      ...waitOptions,
    ],
    examples: [
      'mariposa service start web',
      'mariposa service start report --set MONTH=2026-10',
      'mariposa service start web worker',
      'mariposa service start web --version 3',
      'mariposa service start web --deadline 30s',
    ],
    load: change(({ start }, shell, names, flags) => start(shell, names, flags)),
  }),
  verb<ListFlags>({
    name: 'runs',
    args: '[service]',
    summary: 'list the runs of event and scheduled services, the newest first, and how each ended',
    view: ['columns', 'long', 'quiet'],
    options: [allProjects],
    examples: ['mariposa service runs migrate', 'mariposa service runs -o dueAt,instance,result'],
    load: schedule(({ listRuns }, shell, [name], flags) => listRuns(shell, name, flags)),
  }),
  verb<DeployFlags>({
    name: 'add',
    aliases: ['create', 'new'],
    args: '<name> <file>',
    summary: 'create a service; fails if it exists',
    view: ['quiet'],
    options: [
      new Option('--scale <n>', 'number of instances; default 1').argParser(count(0)),
      waitForRoom,
      ...waitOptions,
    ],
    examples: ['mariposa service add web web.yml', 'mariposa service create web web.yml --scale 3'],
    load: change(({ add }, shell, [name = '', file = ''], flags) => add(shell, name, file, flags)),
  }),
  verb<DeployFlags>({
    name: 'update',
    args: '<name> <file>',
    summary: 'make a new version current and replace the instances; fails if the service does not exist',
    view: ['quiet'],
    options: [...updateOptions, prefetch, ...waitOptions],
    examples: ['mariposa service update web web.yml', 'mariposa service update web web.yml --canary 1'],
    load: change(({ update }, shell, [name = '', file = ''], flags) => update(shell, name, file, flags)),
  }),
  verb<RolloutFlags>({
    name: 'revert',
    aliases: ['rollback', 'set'],
    args: '<name> <version>',
    summary: 'make a version (uuid or number) current again and replace the instances of others',
    view: ['quiet'],
    options: [...rolloutOptions, ...waitOptions],
    examples: ['mariposa service revert web 2', 'mariposa service rollback web 2 --rolling 3 --previous 3'],
    load: change(({ revert }, shell, [name = '', version = ''], flags) =>
      revert(shell, name, version, flags),
    ),
  }),
  verb<ReprovisionFlags>({
    name: 'reprovision',
    aliases: ['restart'],
    args: '<name>',
    summary: 'replace instances by new ones of the current version, with new placements',
    view: ['quiet'],
    options: [
      new Option('--version <version>', 'only instances of this version (uuid or number)'),
      new Option('--image <image>', 'only instances of versions with this image'),
      new Option('--instance <name>', 'only this instance'),
      new Option('--machine <machine>', 'only instances on this machine (id or hostname)'),
      ...rolloutOptions,
      ...waitOptions,
    ],
    examples: [
      'mariposa service reprovision web',
      'mariposa service reprovision web --count 3 --rolling 3',
      'mariposa service restart web --instance web-4',
    ],
    load: change(({ reprovision }, shell, [name = ''], flags) => reprovision(shell, name, flags)),
  }),
  verb<WaitFlags & DeleteRequest>({
    name: 'delete',
    aliases: ['rm'],
    args: '<names...>',
    summary: 'remove services and their versions; refused while instances run',
    view: ['quiet'],
    options: [
      new Option('--force', 'stop running instances first'),
      new Option(
        '--volumes',
        'delete its named volumes and the anonymous volumes of its containers; without this they are kept',
      ),
      now,
      ...waitOptions,
    ],
    examples: [
      'mariposa service delete web',
      'mariposa service rm web worker --force',
      'mariposa service delete web --force --now',
      'mariposa service delete db --force --volumes',
    ],
    load: change(({ remove }, shell, names, flags) => remove(shell, names, flags)),
  }),
  verb({
    name: 'versions',
    args: '<name>',
    summary: 'list the versions of a service, newest first',
    view: ['columns', 'long', 'quiet'],
    examples: ['mariposa service versions web', 'mariposa service versions web -l'],
    load: versions(({ listVersions }, shell, [name = '']) => listVersions(shell, name)),
  }),
  verb<{ manifest?: boolean }>({
    name: 'version',
    args: '<version>',
    summary: 'show one version, by its uuid, a prefix of it, or SERVICE@N',
    options: [new Option('--manifest', 'print only the manifest, as it was submitted')],
    examples: ['mariposa service version web@2', 'mariposa service version web@2 --manifest > old.yml'],
    load: versions(({ showVersion }, shell, [version = ''], { manifest = false }) =>
      showVersion(shell, version, manifest),
    ),
  }),
  verb({
    name: 'diff',
    args: '<version> <other>',
    summary: 'show the differences between the manifests of two versions',
    examples: ['mariposa service diff web@2 web@3', 'mariposa service diff 1b9d6bcd bbfd4b2d --json'],
    load: versions(({ diffVersions }, shell, [before = '', after = '']) =>
      diffVersions(shell, before, after),
    ),
  }),
  verb<ListFlags>({
    name: 'list',
    aliases: ['ls'],
    summary: 'list the services of the project',
    view: ['columns', 'long', 'quiet'],
    options: [allProjects],
    examples: [
      'mariposa service list',
      'mariposa services ls -o name,scale,status',
      'mariposa service list --all-projects',
      'mariposa svc ls --json',
    ],
    load: look(({ listServices }, shell, _, flags) => listServices(shell, flags)),
  }),
  verb<{ manifest?: boolean }>({
    name: 'get',
    aliases: ['show'],
    args: '<name>',
    summary: 'show a service with its instances',
    view: ['long'],
    options: [new Option('--manifest', 'print only the manifest, as it was submitted')],
    examples: ['mariposa service get web', 'mariposa service show web --manifest > web.yml'],
    load: look(({ getService }, shell, [name = ''], { manifest = false }) =>
      getService(shell, name, manifest),
    ),
  }),
  verb<ListFlags>({
    name: 'instances',
    aliases: ['ps'],
    args: '[name]',
    summary: 'list instances, stopped ones included',
    view: ['columns', 'long', 'quiet'],
    options: [allProjects],
    examples: [
      'mariposa service instances web',
      'mariposa service ps -l',
      'mariposa service ps --all-projects',
    ],
    load: look(({ listInstances }, shell, [name = null], flags) => listInstances(shell, name, flags)),
  }),
  verb({
    name: 'explain',
    args: '<name>',
    summary: 'explain why a service or instance is on its machine, or why it cannot be placed',
    examples: ['mariposa service explain web', 'mariposa service explain web-3'],
    load: look(({ explain }, shell, [name = '']) => explain(shell, name)),
  }),
  verb<LogFlags>({
    name: 'logs',
    args: '<name>',
    summary: 'print the log of a service or an instance',
    options: [
      ...logOptions(),
      new Option('--previous', 'logs of ended and removed instances, instead of the present ones'),
    ],
    examples: [
      'mariposa service logs web',
      'mariposa service logs web-3 -f --tail 20',
      'mariposa service logs web --since 10m --timestamps',
      'mariposa service logs web --previous --tail 100',
    ],
    load: follow(({ logs }, shell, [name = ''], flags) => logs(shell, name, flags)),
  }),
  verb<ExecFlags>({
    name: 'exec',
    args: '<instance> <command...>',
    mayBeEmpty: ['command'],
    summary: 'run a program in an instance, and exit with its status',
    options: [
      new Option('-i, --interactive', 'pass standard input on to the program'),
      new Option('-t, --tty', 'run the program in a terminal; Ctrl-P Ctrl-Q detaches from it'),
      new Option('--user <user>', 'run the program as this user'),
    ],
    examples: [
      'mariposa service exec web-3 -- sh',
      'mariposa service exec web-3 -- ls -l /srv',
      'echo hello | mariposa service exec web-3 -- cat',
    ],
    load: follow(({ exec }, shell, [instance = '', ...argv], flags) => exec(shell, instance, argv, flags)),
  }),
  verb<RunFlags>({
    name: 'run',
    args: '<service> <command...>',
    mayBeEmpty: ['command'],
    summary: 'run a program once as an instance of a service, and exit with its status',
    options: [
      new Option('-i, --interactive', 'pass standard input on to the program'),
      new Option('-t, --tty', 'run the program in a terminal'),
      new Option('--rm', 'remove the instance afterwards; this is always done'),
      new Option(
        '--set <key=value>',
        'a variable in addition to those of the service; may be repeated',
      ).argParser(append),
    ],
    examples: [
      'mariposa service run web -- bin/migrate',
      'mariposa service run -it web -- sh',
      'mariposa service run web --set DRY_RUN=1 -- bin/clean-up --all',
      'mariposa service run db -- pg_dump shop > shop.sql',
    ],
    load: follow(({ run }, shell, [name = '', ...argv], flags) => run(shell, name, argv, flags)),
  }),
  verb<EventsFlags>({
    name: 'events',
    args: '[name]',
    summary: 'print the events of a service: deploys, placements, health, scaling',
    view: ['columns', 'long', 'quiet'],
    options: eventOptions(),
    examples: [
      'mariposa service events',
      'mariposa service events web -f',
      'mariposa service events web --since 1h --kind placed,unplaceable',
    ],
    load: events(({ serviceEvents }, shell, [name], flags) => serviceEvents(shell, name, flags)),
  }),
]
