// `mariposa discovery …`
import { type Command, Option } from 'commander'
import type { RenderFlags } from './discovery.js'
import { addNoun, codeOf, duration, type Verb, verb } from './program.js'

const discovery = codeOf(() => import('./discovery.js'))

export function addDiscoveryVerbs(program: Command): void {
  addNoun(
    program,
    'discovery',
    [],
    'configuration files for other software, rendered from the running instances',
    discoveryVerbs,
  )
}

const discoveryVerbs: readonly Verb<never>[] = [
  verb<RenderFlags>({
    name: 'render',
    args: '<template> <out>',
    summary: 'render a template to a file, and again whenever the running instances change; - prints it',
    options: [
      new Option(
        '--exec <command>',
        'run this after the file has changed (without a shell; use sh -c "…" for one)',
      ),
      new Option(
        '--signal <signal>',
        'start the --exec command once, and send it this signal after each change',
      ),
      new Option('--once', 'write the file once and exit'),
      new Option('--quiet <duration>', 'write at most once in this time')
        .argParser(duration)
        .default(1000, '1s'),
    ],
    examples: [
      'mariposa discovery render nginx.hbs nginx.conf --exec "nginx -s reload"',
      'mariposa discovery render x.hbs x.cfg --exec "proxy -f x.cfg" --signal USR2',
      'mariposa discovery render targets.hbs - --once -j shop',
    ],
    load: discovery(({ renderFile }, shell, [template = '', out = ''], flags) =>
      renderFile(shell, template, out, flags),
    ),
  }),
]
