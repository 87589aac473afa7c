// Rules of the steps before the program.
import { itemOf, type Rule, type RuleInput } from './rule.js'
import { childOf } from './tree.js'

export const initRules: readonly Rule[] = [stepsFitComputeType, stepsHavePrograms, timeoutHasSteps]

function stepsFitComputeType({ manifest, tree, notes }: RuleInput): void {
  const node = childOf(tree, 'init_steps')
  if (!node || manifest.compute_type === 'process' || manifest.compute_type === 'docker') return
  const message = `compute_type: ${manifest.compute_type} runs no steps before its program yet`
  notes.report('manifest/conflict', node, message, 'leave it out')
}

function stepsHavePrograms({ manifest, tree, notes }: RuleInput): void {
  manifest.init_steps?.forEach(({ command }, index) => {
    if (command?.[0] !== '') return
    const node = itemOf(tree, 'init_steps', index)
    notes.report('manifest/bad-value', childOf(node, 'command') ?? node, 'the first word of a step is empty')
  })
}

function timeoutHasSteps({ manifest, tree, notes }: RuleInput): void {
  const node = childOf(tree, 'init_timeout')
  if (!node || manifest.init_steps !== undefined) return
  notes.report('manifest/conflict', node, 'init_timeout goes with init_steps', 'leave it out')
}
