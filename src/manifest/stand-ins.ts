import { defaultCnsSuffixes } from './cns.js'
import type { DeployVariables } from './variables.js'

/** Plausible values for what is known only when a service is deployed. */
export function standIns(name: string): DeployVariables {
  const uuid = '00000000-0000-5000-8000-000000000000'
  return {
    project: { name: 'default' },
    service: { name, uuid, version: uuid, ordinal: 1 },
    scale: 1,
    meta: { values: new Map(), complete: false },
    package: null,
    cns: defaultCnsSuffixes,
  }
}
