// Files made from what runs: a template of Handlebars over services, instances, machines and metadata.
import Handlebars, { type HelperDelegate } from 'handlebars'
import type { DiscoveryBody } from '../contract/contract.js'
import { CommandError, exitCodes } from './command-error.js'

/** Makes the text of the file from what runs. Throws CommandError where the template asks for what is not there. */
export type Render = (body: DiscoveryBody) => string

/**
 * Reads a template. Values are inserted as they are, since files of configuration are no HTML, and what the template
 * names has to be there: a name that is spelled wrong would leave a hole in the file. Throws CommandError (exit 2) with the
 * place of what cannot be read.
 */
export function readTemplate(text: string, file: string): Render {
  const handlebars = Handlebars.create()
  try {
    handlebars.parse(text)
  } catch (error) {
    throw new CommandError(
      exitCodes.invalid,
      'cli/bad-template',
      `${file} is not a valid template: ${messageOf(error)}`,
      {
        hint: 'templates are Handlebars: {{#each services.web.instances}}{{address}}:{{port}}{{/each}}',
      },
    )
  }
  refuseNothing(handlebars)
  const template = handlebars.compile<object>(text, { noEscape: true, strict: true })
  return (body) => {
    try {
      return template(templateData(body))
    } catch (error) {
      const hint =
        'use lookup for values that may be missing: {{#if (lookup services "web")}}…{{/if}}, {{lookup meta "key"}}'
      throw new CommandError(exitCodes.failed, 'cli/template-fails', `${file}: ${messageOf(error)}`, { hint })
    }
  }
}

/** Handlebars itself takes a list that is not there for an empty one, also in its strict mode. */
function refuseNothing(handlebars: typeof Handlebars): void {
  for (const name of ['each', 'with']) {
    const helper = handlebars.helpers[name] as HelperDelegate
    handlebars.registerHelper(name, function (this: unknown, of: unknown, options: WithPlace): unknown {
      if (of === undefined)
        throw new Error(`line ${options.loc.start.line} uses #${name} with a value that does not exist`)
      return helper.call(this, of, options)
    })
  }
}

/** What a helper is told of where it stands. */
interface WithPlace {
  readonly loc: { readonly start: { readonly line: number } }
}

/**
 * What templates see: `project`, `services` by name, all of their `instances` and those that are not listed (`others`),
 * `machines` and `meta`.
 */
function templateData({ project, services, machines, meta }: DiscoveryBody): object {
  const seen = services.map((service) => {
    const { name, uuid, address, instances } = service
    return { name, uuid, address, ...parted(instances.map((one) => ({ ...one, service: name }))) }
  })
  return {
    project,
    services: Object.fromEntries(seen.map((service) => [service.name, service])),
    instances: seen.flatMap((service) => service.instances),
    others: seen.flatMap((service) => service.others),
    machines,
    meta,
  }
}

type Instance = DiscoveryBody['services'][number]['instances'][number] & { readonly service: string }

/** Who answers, and who does not; where nobody can be asked, nobody answers. */
function parted(instances: readonly Instance[]): {
  readonly instances: readonly Instance[]
  readonly others: readonly Instance[]
} {
  const answers = ({ listed, address }: Instance): boolean => listed && address !== null
  return { instances: instances.filter(answers), others: instances.filter((one) => !answers(one)) }
}

/** Handlebars tells in several lines where a template is wrong, and what is missing by the name of its type. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const [, name, line] = /^"(.*)" not defined in .* - (\d+):\d+$/.exec(text) ?? []
  if (name !== undefined) return `line ${line} uses '${name}', which does not exist`
  const [, part] = /^Cannot read properties of undefined \(reading '(.*)'\)$/.exec(text) ?? []
  if (part !== undefined) return `it uses '${part}' of a value that does not exist`
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
