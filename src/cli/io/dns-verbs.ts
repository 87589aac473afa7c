// `mariposa dns …`
import { type Command, Option } from 'commander'
import type { SetupFlags } from './host-resolver.js'
import type { ListFlags } from './lists.js'
import { addNoun, allProjects, codeOf, type Verb, verb } from './program.js'

const dns = codeOf(() => import('./dns.js'))
const hostResolver = codeOf(() => import('./host-resolver.js'))

export function addDnsVerbs(program: Command): void {
  addNoun(program, 'dns', [], 'DNS names of services and instances, and the addresses behind them', dnsVerbs)
}

const dnsVerbs: readonly Verb<never>[] = [
  verb<ListFlags>({
    name: 'list',
    aliases: ['ls'],
    args: '[service]',
    summary: 'list instances with their addresses, and why one is not in DNS answers',
    view: ['columns', 'long', 'quiet'],
    options: [allProjects],
    examples: ['mariposa dns list', 'mariposa dns ls web --json'],
    load: dns(({ listNames }, shell, [service], flags) => listNames(shell, service, flags)),
  }),
  verb<{ readonly type?: string }>({
    name: 'lookup',
    args: '<name>',
    summary: 'show the answer of the daemon for a name, and the instances behind it',
    options: [new Option('--type <type>', 'A, AAAA, SRV, TXT, PTR, NS, SOA or ANY').default('A')],
    examples: [
      'mariposa dns lookup web.svc.default.cns.mariposa.internal',
      'mariposa dns lookup web.svc.default.mariposa.internal --type SRV',
    ],
    load: dns(({ lookUpName }, shell, [name = ''], { type = 'A' }) => lookUpName(shell, name, type)),
  }),
  verb<SetupFlags>({
    name: 'setup',
    summary: 'make the resolver of this host (systemd-resolved) ask the daemon for names of the cluster',
    options: [
      new Option('--suffix <domain...>', 'domains that the daemon answers for (default: mariposa.internal)'),
      new Option('--print', 'print the systemd unit for the setup, and change nothing'),
    ],
    examples: ['mariposa dns setup', 'mariposa dns setup --print'],
    load: hostResolver(({ setUpHostResolver }, shell, _, flags) => setUpHostResolver(shell, flags)),
  }),
  verb({
    name: 'unset',
    summary: 'undo `dns setup`',
    examples: ['mariposa dns unset'],
    load: hostResolver(({ unsetHostResolver }, shell) => unsetHostResolver(shell)),
  }),
]
