// PodmanArgs=: what Quadlet has no key for, as the options that Podman and Docker share. Others are refused.
import { parseSize } from '../../unit/values.js'
import type { DeviceRequest, HostConfig } from './api.js'

/** Each option with how its value is read; null for a value that is none. */
const options: Readonly<Record<string, (value: string) => Partial<HostConfig> | null>> = {
  cpus: (value) => {
    const isNumber = /^\d{1,4}(\.\d{1,9})?$/.test(value) && Number(value) >= 0.01
    return isNumber ? { NanoCpus: Math.round(Number(value) * 1e9) } : null
  },
  'memory-swap': (value) => {
    const bytes = value === '-1' ? -1 : parseSize(value.toUpperCase())
    return bytes === null || bytes === 0 || !Number.isFinite(bytes) ? null : { MemorySwap: bytes }
  },
  gpus: (value) => {
    const request = gpuRequest(value)
    return request === null ? null : { DeviceRequests: [request] }
  },
  privileged: (value) => (value === '' || value === 'true' ? { Privileged: true } : null),
}

/** What is wrong with a word of the option; null when nothing is. */
export function checkPodmanArg(word: string): string | null {
  const { name, value } = splitWord(word)
  const read = Object.hasOwn(options, name) ? options[name] : undefined
  if (read === undefined)
    return `"${word}" is not supported by Docker, which takes --cpus=, --memory-swap=, --gpus= and --privileged`
  return read(value) === null ? `"${value}" is not a value of --${name}` : null
}

/** What its words ask for, those that are wrong left out. */
export function podmanArgs(words: readonly string[]): Partial<HostConfig> {
  const read = words.map(splitWord).map(({ name, value }) => {
    return (Object.hasOwn(options, name) ? options[name]?.(value) : null) ?? {}
  })
  return Object.assign({}, ...read) as Partial<HostConfig>
}

function splitWord(word: string): { readonly name: string; readonly value: string } {
  const [, name = '', value = ''] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? []
  return { name, value }
}

/** As `docker run --gpus` reads it. */
function gpuRequest(value: string): DeviceRequest | null {
  const gpu = { Driver: '', Capabilities: [['gpu']] }
  if (value === 'all') return { ...gpu, Count: -1 }
  if (/^[1-9]\d{0,2}$/.test(value)) return { ...gpu, Count: Number(value) }
  const [, ids] = /^device=([A-Za-z0-9_-]+(?:,[A-Za-z0-9_-]+)*)$/.exec(value) ?? []
  return ids === undefined ? null : { ...gpu, Count: 0, DeviceIDs: ids.split(',') }
}
