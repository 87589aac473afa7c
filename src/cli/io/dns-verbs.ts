// `mariposa dns …`
import { type Command, Option } from 'commander'
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
}
