// What the labels of Triton's container name service say of an instance (fidelity §3c): names are made with it, and so is
// known who may still be sent to an instance by them.
import { greatestPort } from '../lib/port.js'

/** A name that an instance stands behind, beside that of its service. */
export interface CnsService {
  readonly label: string
  /** The port of the program; null: the first that it has. */
  readonly port: number | null
  /** As in SRV records (RFC 2782). */
  readonly priority: number
  readonly weight: number
}

/** What the labels and metadata of an instance say about its names. */
export interface CnsLabels {
  readonly services: readonly CnsService[]
  /** It has no names at all. */
  readonly disabled: boolean
  /** What its address is called in reverse; null: by its own name. */
  readonly reversePtr: string | null
  /** Whether it is to be listed for its services. */
  readonly up: boolean
  /** Seconds that answers with it may be remembered; null where it does not say. */
  readonly ttl: number | null
  /** What is out for a reason that may pass leaves the answers little by little. */
  readonly hysteresis: boolean
  /** What `_acme-challenge` of its names answers. */
  readonly challenges: readonly string[]
}

export const cnsPrefix = 'triton.cns.'

export const cnsLabels = [
  'services',
  'disable',
  'reverse_ptr',
  'status',
  'acme-challenge',
  'ttl',
  'hysteresis',
] as const
type CnsLabel = (typeof cnsLabels)[number]

/** Of an instance with these labels. What is wrong in one counts as if it were not there. */
export function readCnsLabels(labels: Readonly<Record<string, string>>): CnsLabels {
  const of = (name: CnsLabel): string | undefined => {
    const key = withPrefix(name)
    return Object.hasOwn(labels, key) ? labels[key] : undefined
  }
  const services = parseCnsServices(of('services') ?? '')
  const reversePtr = of('reverse_ptr') ?? ''
  const disable = of('disable')
  return {
    services: typeof services === 'string' ? [] : services,
    disabled: disable !== undefined && disable !== 'false',
    reversePtr: isDomain(reversePtr) ? reversePtr.toLowerCase().replace(/\.$/, '') : null,
    up: (of('status') ?? 'up') === 'up',
    ttl: readTtl(of('ttl') ?? ''),
    hysteresis: of('hysteresis') === 'true',
    challenges: challengesOf(of('acme-challenge') ?? '').filter(fitsText),
  }
}

/** Seconds that answers may be remembered where nobody says. */
export const defaultTtl = 5

/** Seconds; an hour is as long as anybody should be wrong. */
export const longestTtl = 3600

/** A number of seconds as a label has it; null for what is none. */
export function readTtl(text: string): number | null {
  return /^\d{1,4}$/.test(text) && Number(text) <= longestTtl ? Number(text) : null
}

/** The key under which a project or a machine says the same as a label. */
export function withPrefix(name: CnsLabel): string {
  return `${cnsPrefix}${name}`
}

/** Challenges are written in base64url: commas and blanks part them. */
export function challengesOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((one) => one !== '')
}

/** `svc(,svc)*` with svc = `label[:port][:key=value…]`; or what is wrong with it. Nothing is no services. */
export function parseCnsServices(text: string): readonly CnsService[] | string {
  if (text.trim() === '') return []
  const services: CnsService[] = []
  for (const part of text.split(',')) {
    const service = parseService(part.trim())
    if (typeof service === 'string') return service
    if (services.some(({ label }) => label === service.label)) return `${service.label} is given twice`
    services.push(service)
  }
  return services
}

function parseService(text: string): CnsService | string {
  const [name = '', ...rest] = text.split(':')
  const label = name.toLowerCase()
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) return `"${name}" is not a service name`
  const settings = { port: null as number | null, priority: 0, weight: 10 }
  for (const [index, word] of rest.entries()) {
    const [key, value] = index === 0 && /^\d+$/.test(word) ? ['port', word] : splitPair(word)
    if (key !== 'port' && key !== 'priority' && key !== 'weight')
      return `"${word}" of ${name} is neither a port nor port=, priority= or weight=`
    const number = /^\d{1,5}$/.test(value) ? Number(value) : -1
    if (number < (key === 'port' ? 1 : 0) || number > greatestPort)
      return `${key} of ${name} is "${value}", which is not a number up to 65535`
    settings[key] = number
  }
  return { label, ...settings }
}

function splitPair(word: string): readonly [string, string] {
  const equals = word.indexOf('=')
  return equals === -1 ? ['', word] : [word.slice(0, equals), word.slice(equals + 1)]
}

/** Whether a text may be the name of a domain. */
export function isDomain(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/i.test(text)
}

/** Whether a text is one string of a TXT record. */
export function fitsText(text: string): boolean {
  return /^[ -~]{1,255}$/.test(text)
}
