// Options of systemd that the process supervisor cannot honour, and what to do instead.
import { ownOf } from '../../lib/own-property.js'

/** The reason and the way out for options that people are likely to use. Any other unknown option is refused too. */
export function refusalHint(section: string, name: string): string {
  const known = ownOf(hints, section)?.find(([pattern]) => pattern.test(name))
  return known?.[1] ?? 'take it out, or run the unit on a machine with systemd'
}

const ordering =
  'units are started on their own; let the program wait for what it needs, for example in ExecStartPre='
const isolation =
  'the embedded supervisor has no namespaces, and limits by cgroups memory, CPUQuota= and TasksMax= alone; use the docker or the systemd driver'

const hints: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  Unit: [
    [
      /^(After|Before|Requires|Requisite|Wants|BindsTo|PartOf|Upholds|Conflicts|OnFailure|OnSuccess|Propagates.*|JoinsNamespaceOf)$/,
      ordering,
    ],
    [/^(Condition|Assert)/, 'test for it in ExecStartPre=: if that fails, the unit does not start'],
  ],
  Service: [
    [
      /^(BusName|NotifyAccess|WatchdogSec|WatchdogSignal)$/,
      'only Type=simple, exec and oneshot are supported here',
    ],
    [/^(PIDFile|GuessMainPID)$/, 'run the program in the foreground with Type=exec'],
    [/^ExecReload$/, 'units cannot be reloaded here; restart it'],
    [/^ExecCondition$/, 'use ExecStartPre=, whose failure keeps the unit from starting'],
    [/^Limit(AS|RTTIME)$/, 'set it in the program, or start it through prlimit in ExecStart='],
    [/^(Syslog|Log)/, 'the output of each unit is kept in log files of its own; see unit journal'],
    [
      /^(Standard|TTY|File)/,
      'StandardOutput= and StandardError= know journal, inherit, null, append: and truncate:',
    ],
    [/^TimeoutAbortSec$/, 'use TimeoutStopSec='],
    [/^RuntimeMaxSec$/, 'start the program through timeout in ExecStart='],
    [/^(State|Cache|Runtime|Logs|Configuration)Directory/, 'make the directory in ExecStartPre='],
    [/^(OOMScoreAdjust|OOMPolicy)$/, 'use [X-Mariposa] Memory='],
    [
      /^(CPU|IO|BlockIO|Memory|Tasks|Allowed|Startup|Device|IP|Slice|Delegate|ManagedOOM|Private|Protect|Restrict|ReadOnly|ReadWrite|Inaccessible|Bind|Temporary|Root|Mount|Network|Ambient|Secure|Lock|System|Dynamic|Ephemeral|Load|Keyring|Remove)/,
      isolation,
    ],
  ],
}
