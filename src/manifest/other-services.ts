// Variables of other services: `services.api.address`, `services.api.port.8080`. They speak of names, never of an
// instance's address: who is behind a name changes, and a unit does not.
import { isLoopback } from '../lib/loopback.js'
import { nearest } from '../lib/nearest.js'
import type { OtherService } from '../model/other-service.js'
import { type CnsSuffixes, cnsName, dnsify } from './cns.js'
import type { ManifestCode } from './notes.js'

/** The services that templates may ask for. */
export interface OtherServices {
  readonly of: (name: string) => OtherService | null
  /** Of those that are known. */
  readonly names: () => readonly string[]
  /** Whether there are no others. Without a daemon nobody knows. */
  readonly complete: boolean
}

/** The value of a variable; or why it has none. */
type ServiceValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'stand-in'; readonly text: string }
  | {
      readonly kind: 'missing'
      readonly problem: {
        readonly code: Extract<ManifestCode, `template/${string}`>
        readonly message: string
        readonly hint: string
      }
    }

const properties = ['address', 'port', 'name', 'uuid'] as const

export const serviceVariables = [
  ...properties.map((property) => `services.<name>.${property}`),
  'services.<name>.port.<port>',
]

/** Where names are. */
interface Domain {
  readonly project: { readonly name: string }
  readonly cns: CnsSuffixes
  readonly services?: OtherServices
}

/** The value of `services.<rest>`; null where there is no such variable. */
export function serviceValue(rest: string, domain: Domain): ServiceValue | null {
  const [, name = '', property = '', digits] = /^([^.]+)\.([^.]+)(?:\.(\d{1,5}))?$/.exec(rest) ?? []
  const wanted = properties.find((one) => one === property)
  if (wanted === undefined || (digits !== undefined && wanted !== 'port'))
    return name === '' ? null : noProperty(name, rest)
  const { services } = domain
  const service = services?.of(name) ?? null
  if (service !== null) return valueFor(name, service, wanted, digits, domain)
  if (services?.complete === true) return unknownService(name, rest, services.names(), domain)
  return { kind: 'stand-in', text: standIn(name, wanted, digits, domain) }
}

function valueFor(
  name: string,
  service: OtherService,
  property: (typeof properties)[number],
  digits: string | undefined,
  { project, cns }: Domain,
): ServiceValue {
  switch (property) {
    case 'name':
      return { kind: 'text', text: name }
    case 'uuid':
      return { kind: 'text', text: service.uuid }
    case 'address': {
      const network = isReachedPublicly(service) ? 'public' : 'private'
      return { kind: 'text', text: cnsName('svc', dnsify(name), project.name, network, cns) }
    }
    case 'port':
      return portValue(name, service, digits === undefined ? null : Number(digits))
  }
}

/**
 * Whether a service is asked for by its public name, where what it publishes answers: where all its ports are fixed
 * ports of the host. Otherwise it is the private one, where a container's own ports answer on its own machine.
 */
function isReachedPublicly({ isProcess, ports }: OtherService): boolean {
  return (
    !isProcess &&
    ports.length > 0 &&
    ports.every(({ ip, host }) => host !== null && (ip === null || !isLoopback(ip)))
  )
}

function portValue(name: string, service: OtherService, wanted: number | null): ServiceValue {
  const port = service.ports.find(({ container }) => wanted === null || container === wanted)
  const listed = [...new Set(service.ports.map(({ container }) => container))]
  if (port === undefined) {
    const message = wanted === null ? `${name} has no ports` : `${name} has no port ${wanted}`
    const hint =
      listed.length === 0 ? `add it to ports of ${name}` : `it has ${listed.slice(0, 20).join(', ')}`
    return { kind: 'missing', problem: { code: 'template/no-port', message, hint } }
  }
  const number = isReachedPublicly(service) || service.isProcess ? port.host : port.container
  if (number !== null) return { kind: 'text', text: String(number) }
  const message = `port ${port.container} of ${name} is chosen by the engine and differs between instances`
  const hint = `fix it in ports of ${name}, or ask for SRV records of its name`
  return { kind: 'missing', problem: { code: 'template/no-port', message, hint } }
}

function noProperty(name: string, rest: string): ServiceValue {
  const shown = [...properties, 'port.<port>']
  const near = nearest(rest.slice(name.length + 1), shown)
  const hint =
    near === undefined
      ? `there are ${shown.map((one) => `services.${name}.${one}`).join(', ')}`
      : `did you mean services.${name}.${near}?`
  const message = `there is no variable ${JSON.stringify(`services.${rest}`)}`
  return { kind: 'missing', problem: { code: 'template/unknown-variable', message, hint } }
}

function unknownService(
  name: string,
  rest: string,
  names: readonly string[],
  { project }: Domain,
): ServiceValue {
  const near = nearest(name, [...names])
  const message = `project ${project.name} has no service ${JSON.stringify(name)}`
  const hint =
    near === undefined
      ? 'deploy it before, or in the same deploy'
      : `did you mean services.${near}${rest.slice(name.length)}?`
  return { kind: 'missing', problem: { code: 'template/unknown-service', message, hint } }
}

function standIn(
  name: string,
  property: (typeof properties)[number],
  digits: string | undefined,
  { project, cns }: Domain,
): string {
  switch (property) {
    case 'address':
      return cnsName('svc', dnsify(name), project.name, 'private', cns)
    case 'port':
      return digits ?? '80'
    default:
      return name
  }
}
