import { networkProblem } from './network.js'

/** What is wrong with a key of a machine's metadata and its value; null where nothing is. */
export function machineMetadataProblem(key: string, value: string): string | null {
  // No JSON reader that guards itself takes an object with this key: whoever set it could not take it away.
  return key === '__proto__' ? `the key ${key} cannot be sent` : networkProblem(key, value)
}
