// `mariposa dns …`
import { type Command, Option } from 'commander'
import type { SetupFlags } from './host-resolver.js'
import type { ListFlags } from './lists.js'
import { addNoun, addVerb, allProjects } from './program.js'

export function addDnsVerbs(program: Command): void {
  const dns = addNoun(program, 'dns', [], 'names of services and instances, and who is behind them')
  addVerb<ListFlags>(dns, {
    name: 'list',
    aliases: ['ls'],
    args: '[service]',
    summary: 'list instances with their addresses, and why one is not listed',
    view: ['columns', 'long', 'quiet'],
    options: [allProjects],
    examples: ['mariposa dns list', 'mariposa dns ls web --json'],
    load: async ([service], flags) => {
      const { listNames } = await import('./dns.js')
      return (shell) => listNames(shell, service, flags)
    },
  })
  addVerb<{ readonly type?: string }>(dns, {
    name: 'lookup',
    args: '<name>',
    summary: 'show what the daemon answers for a name, and who is behind it',
    options: [new Option('--type <type>', 'A, AAAA, SRV, TXT, PTR, NS, SOA or ANY').default('A')],
    examples: [
      'mariposa dns lookup web.svc.default.cns.mariposa.internal',
      'mariposa dns lookup web.svc.default.mariposa.internal --type SRV',
    ],
    load: async ([name = ''], { type = 'A' }) => {
      const { lookUpName } = await import('./dns.js')
      return (shell) => lookUpName(shell, name, type)
    },
  })
  addVerb<SetupFlags>(dns, {
    name: 'setup',
    summary: 'have the resolver of this host (systemd-resolved) ask the daemon for the names of the cluster',
    options: [
      new Option('--suffix <domain...>', 'below which the daemon answers (default: mariposa.internal)'),
      new Option('--print', 'show the unit of systemd that does it, and change nothing'),
    ],
    examples: ['mariposa dns setup', 'mariposa dns setup --print'],
    load: async (_args, flags) => {
      const { setUpHostResolver } = await import('./host-resolver.js')
      return (shell) => setUpHostResolver(shell, flags)
    },
  })
  addVerb(dns, {
    name: 'unset',
    summary: 'take back what `dns setup` did',
    examples: ['mariposa dns unset'],
    load: async () => {
      const { unsetHostResolver } = await import('./host-resolver.js')
      return unsetHostResolver
    },
  })
}
