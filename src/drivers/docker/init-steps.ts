// Steps before the program of a container, as its labels say them.
import type { PullRule } from '../../agent/driver.js'
import { labelPrefix } from './labels.js'
import { type ListedSide, placeOfSide } from './side-containers.js'

/** The steps of a unit: programs that have to end with status 0, one after the other, before its own is started. */
export interface InitPlan {
  readonly steps: readonly InitStep[]
  /** How long each of them may take; null for as long as it does. */
  readonly timeoutMs: number | null
  /** When images of steps are fetched; absent where no step has one. */
  readonly pull?: PullRule
}

/** A program in the image of the unit, or in one of its own. */
type InitStep = readonly string[] | ImageStep

interface ImageStep {
  readonly argv: readonly string[]
  readonly image: string
}

/** The program of a step and its words. */
export function argvOf(step: InitStep | undefined): readonly string[] {
  if (step === undefined) return []
  return 'image' in step ? step.argv : step
}

/** The image that a step has of its own; null for that of its unit. */
export function imageOfStep(step: InitStep | undefined): string | null {
  return step !== undefined && 'image' in step ? step.image : null
}

/** How much of its time a step has left that runs for so long, all in ms: never more than all of it, as clocks are set back. */
export function leftOf(timeoutMs: number, ageMs: number): number {
  return Math.min(timeoutMs, Math.max(0, timeoutMs - ageMs))
}

/** As long as systemd waits for a start that does not say. */
export const defaultInitTimeoutMs = 90_000

const planLabel = `${labelPrefix}init`

/**
 * The label that keeps the steps of a container: it may be started by another daemon than has made it. Steps with an image have
 * a form that a daemon of before cannot run: it would take the image of the unit.
 */
export function initMark(plan: InitPlan): Readonly<Record<string, string>> {
  return plan.steps.length === 0 ? {} : { [planLabel]: JSON.stringify(plan) }
}

/** Reads it back; null for a container without steps. */
export function readInitMark(labels: Readonly<Record<string, string>> | null): InitPlan | null {
  const text = labels?.[planLabel]
  return text === undefined ? null : (JSON.parse(text) as InitPlan)
}

/** Where a step stands in the name of its container, from 1. */
export function placeOfStep(index: number): string {
  return `init-${index + 1}`
}

/** The containers of steps among those beside a unit's, in the order in which they run. */
export function stepsAmong(sides: readonly ListedSide[]): readonly ListedSide[] {
  const orderOf = (side: ListedSide): number => Number(/^init-(\d+)$/.exec(placeOfSide(side))?.[1] ?? 0)
  return sides.filter((side) => orderOf(side) > 0).toSorted((one, other) => orderOf(one) - orderOf(other))
}

/** A step as a message names it. */
export function describeStep({ steps }: InitPlan, index: number): string {
  const which = steps.length === 1 ? 'the init step' : `init step ${index + 1} of ${steps.length}`
  return `${which} (${argvOf(steps[index])[0] ?? ''})`
}
