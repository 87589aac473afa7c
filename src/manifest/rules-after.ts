// Rules of the services that a service comes up after, as far as one manifest tells.
import { itemOf, lineOf, type Rule, type RuleInput } from './rule.js'
import { childOf, type Tree } from './tree.js'

export const afterRules: readonly Rule[] = [dependenciesAreOthers]

function dependenciesAreOthers({ manifest, tree, source, notes }: RuleInput): void {
  const seen = new Map<string, Tree>()
  manifest.after?.forEach(({ service }, index) => {
    const node = itemOf(tree, 'after', index)
    const place = childOf(node, 'service') ?? node
    const before = seen.get(service)
    if (service === manifest.name) {
      const message = `${service} cannot wait for itself`
      notes.report('manifest/cycle', place, message, 'leave it out')
    } else if (before !== undefined) {
      const message = `${service} is named already, on ${lineOf(source, before)}`
      notes.report('manifest/conflict', place, message, 'keep one of them')
    } else seen.set(service, node)
  })
}
