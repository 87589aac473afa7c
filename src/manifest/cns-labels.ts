// Labels of Triton's container name service in a manifest: what is wrong with them, and what `cns` says in their place.
import { nearest } from '../lib/nearest.js'
import {
  challengesOf,
  cnsLabels,
  cnsPrefix,
  fitsText,
  isDomain,
  longestTtl,
  parseCnsServices,
  readTtl,
  withPrefix,
} from '../model/cns-labels.js'
import { placeholderEnd, placeholderStart } from './variables.js'

/** What is wrong with a label of ours; null for one that is fine, and for all others. */
export function cnsLabelProblem(
  key: string,
  value: string,
): { readonly message: string; readonly hint?: string } | null {
  if (!key.startsWith(cnsPrefix)) return null
  const name = key.slice(cnsPrefix.length)
  const text = value.replace(mark, '0')
  switch (cnsLabels.find((one) => one === name)) {
    case undefined: {
      const near = nearest(name, [...cnsLabels])
      const hint = near === undefined ? `there are ${cnsLabels.map(withPrefix).join(', ')}` : null
      return { message: `there is no label ${key}`, hint: hint ?? `did you mean ${cnsPrefix}${near}?` }
    }
    case 'services': {
      const services = parseCnsServices(text)
      return typeof services === 'string' ? { message: services, hint: servicesHint } : null
    }
    case 'reverse_ptr':
      return isDomain(text)
        ? null
        : { message: `"${text}" is not a domain name`, hint: 'example: www.shop.example' }
    case 'status':
      return text === 'up' || text === 'down'
        ? null
        : { message: `"${text}" is neither up nor down`, hint: 'down: the service is not listed' }
    case 'acme-challenge':
      return challengesOf(text).every(fitsText)
        ? null
        : { message: 'a challenge has at most 255 characters of ASCII' }
    case 'ttl':
      return readTtl(text) === null
        ? { message: `"${text}" is not a number of seconds up to ${longestTtl}`, hint: 'example: 30' }
        : null
    case 'hysteresis':
      return text === 'true' || text === 'false'
        ? null
        : {
            message: `"${text}" is neither true nor false`,
            hint: 'without it an unhealthy instance is removed at once',
          }
    case 'disable':
      return null
  }
}

/** The `cns` of a manifest. */
interface CnsSettings {
  readonly services?: readonly string[]
  readonly ttl?: number
  readonly hysteresis?: boolean
  readonly disable?: boolean
}

/** What `cns` of a manifest says, as the labels that say the same. */
export function labelsOfCns({
  services,
  ttl,
  hysteresis,
  disable,
}: CnsSettings): Readonly<Record<string, string>> {
  return {
    ...(services !== undefined && { [withPrefix('services')]: services.join(',') }),
    ...(ttl !== undefined && { [withPrefix('ttl')]: String(ttl) }),
    ...(hysteresis !== undefined && { [withPrefix('hysteresis')]: String(hysteresis) }),
    ...(disable !== undefined && { [withPrefix('disable')]: String(disable) }),
  }
}

const servicesHint = 'example: web:8080,api:9000:priority=1:weight=20'

/** A variable that is filled in with the placement stands for something that is fine in a name. */
const mark = new RegExp(`${placeholderStart}[^${placeholderEnd}]*${placeholderEnd}`, 'g')
