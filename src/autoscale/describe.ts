// The words for a decision, as `service events` shows them: the values, the window and what came of it.
import { describeMetricSource } from '../model/metric.js'
import type { ScalingPolicy } from '../model/scaling.js'
import type { Firing, ScaleCause, ScaleDecision } from './decide.js'

type Acting = Exclude<ScaleDecision, { kind: 'hold' }>

/** `highload: the avg of containermonitor.cpu_used over 3 instances was 0.91 to 0.97 for 10 s, > 0.8; scale 3 → 4`. */
export function describeScaling(policy: ScalingPolicy, scale: number, { kind, to, cause }: Acting): string {
  const what = describeCause(policy, cause)
  return kind === 'scale'
    ? `${what}; scale ${scale} → ${to}`
    : `${what}; the scale stays ${scale}, since autoscale.enable is notify (with true it would be ${to})`
}

function describeCause(policy: ScalingPolicy, cause: ScaleCause): string {
  switch (cause.kind) {
    case 'trigger':
      return describeFiring(cause.firing)
    case 'below-min':
      return `at least ${policy.min} instances are required`
    case 'above-max':
      return `at most ${policy.max ?? 0} instances are allowed`
  }
}

function describeFiring({ trigger, readings }: Firing): string {
  const { name, source, operator, value, percent, aggregate, windowMs } = trigger
  const sign = percent ? '%' : ''
  const values = readings.flatMap((reading) => (reading.value === null ? [] : [reading.value]))
  const [least, most] = [Math.min(...values), Math.max(...values)].map((one) => `${figure(one)}${sign}`)
  const range = least === most ? least : `${least} to ${most}`
  const known = readings.at(-1)?.known ?? 0
  const over = `${known} instance${known === 1 ? '' : 's'}`
  const metric = describeMetricSource(source)
  return `${name}: the ${aggregate} of ${metric} over ${over} was ${range} for ${windowMs / 1000} s, ${operator} ${value}${sign}`
}

/** Three digits that matter. */
function figure(value: number): string {
  return String(Number(value.toPrecision(3)))
}
