// Rules of the steps before the program.

import { itemOf, type Rule, type RuleInput } from './rule.js'
import { problemOfImage } from './rules-program.js'
import { childOf } from './tree.js'

export const initRules: readonly Rule[] = [stepsFitComputeType, stepsHavePrograms, imagesFit, timeoutHasSteps]

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

function imagesFit({ manifest, tree, notes }: RuleInput): void {
  manifest.init_steps?.forEach((_, index) => {
    const node = childOf(itemOf(tree, 'init_steps', index), 'image')
    if (!node) return
    if (manifest.compute_type === 'process') {
      const message = 'a step of a process has no image: it runs on the host, as the program does'
      notes.report('manifest/conflict', node, message, 'leave it out, or run the service in containers')
    } else if (manifest.compute_type === 'docker') {
      const problem = problemOfImage(node)
      if (problem !== null) notes.report('manifest/bad-value', node, problem)
    }
  })
}

function timeoutHasSteps({ manifest, tree, notes }: RuleInput): void {
  const node = childOf(tree, 'init_timeout')
  if (!node || manifest.init_steps !== undefined) return
  notes.report('manifest/conflict', node, 'init_timeout needs init_steps', 'leave it out')
}
