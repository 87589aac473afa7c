// `--add NAME[:memory=64G,cpus=16,metadata=region=north]`: a machine that is not there.
import type { NewMachine } from '../contract/contract.js'
import { parseSizeMb } from '../manifest/quantities.js'

/** Reads one; returns what is wrong as text. */
export function parseNewMachine(text: string): NewMachine | string {
  const colon = text.indexOf(':')
  const name = colon < 0 ? text : text.slice(0, colon)
  if (!/^[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?$/.test(name)) return `'${name}' is not a machine name`
  let machine: NewMachine = { name, memoryMb: null, cpus: null, metadata: {} }
  const given = new Set<string>()
  for (const part of colon < 0 ? [] : text.slice(colon + 1).split(',')) {
    const what = subjectOf(part)
    if (given.has(what)) return `${name}: '${what}' is given twice`
    given.add(what)
    const next = withPart(machine, part)
    if (typeof next === 'string') return next
    machine = next
  }
  return machine
}

/** What a part says something of: metadata may be given for several keys. */
function subjectOf(part: string): string {
  const { name, value } = halves(part)
  return name === 'metadata' ? `${name}=${halves(value).name}` : name
}

function withPart(machine: NewMachine, part: string): NewMachine | string {
  const { name, value } = halves(part)
  switch (name) {
    case 'memory': {
      const memoryMb = parseSizeMb(value)
      return memoryMb === undefined
        ? `'${value}' is not a memory size: 512M, 64G, or MiB`
        : { ...machine, memoryMb }
    }
    case 'cpus':
      return /^\d{1,5}(\.\d{1,2})?$/.test(value) && Number(value) > 0
        ? { ...machine, cpus: Number(value) }
        : `'${value}' is not a number of cores`
    case 'metadata': {
      const pair = halves(value)
      if (!/^[A-Za-z0-9_.-]+$/.test(pair.name) || pair.value === '')
        return `'${value}' is not valid metadata: metadata=KEY=VALUE`
      return { ...machine, metadata: { ...machine.metadata, [pair.name]: pair.value } }
    }
    default:
      return `'${part}' is unknown: use memory=, cpus= and metadata=`
  }
}

function halves(text: string): { readonly name: string; readonly value: string } {
  const at = text.indexOf('=')
  return at < 0 ? { name: text, value: '' } : { name: text.slice(0, at), value: text.slice(at + 1) }
}
