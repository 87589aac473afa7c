// The words for a failed check: one line, as shown by `service instances` and kept in the history.
import { assertNever } from '../lib/invariant.js'
import type { HealthCheck } from '../model/health-check.js'
import type { ProbeFailure } from './sample.js'

/** What was asked and what came of it: `GET http port 8080 /ready: answered 503`. */
export function describeFailure(check: HealthCheck, failure: ProbeFailure): string {
  return `${describeCheck(check)}: ${describeOutcome(failure)}`
}

/** What is said of a check that could not be made: `its check command pg_isready cannot be made: …`. */
export function describeUnasked(check: HealthCheck, why: string): string {
  return `its check ${describeCheck(check)} cannot be made: ${why}`
}

function describeCheck(check: HealthCheck): string {
  if (check.type === 'command') return `command ${check.argv[0] ?? ''}`
  const on = check.network === undefined ? '' : ` on ${check.network}`
  if (check.type === 'containerpilot') return `containerpilot port ${check.port}${on}`
  const what = check.type === 'tcp' ? '' : ` ${check.path}`
  return `${check.type} port ${check.port}${on}${what}`
}

function describeOutcome(failure: ProbeFailure): string {
  switch (failure.kind) {
    case 'timeout':
      return `no answer within ${describeMs(failure.afterMs)}`
    case 'status':
      return `answered ${failure.status}`
    case 'redirects':
      return `redirected again after ${failure.followed} redirect${failure.followed === 1 ? '' : 's'}`
    case 'no-answer':
      return describeNoAnswer(failure.code)
    case 'off-network':
      return failure.why
    case 'exit':
      return `exit status ${failure.code}${failure.lastLine === '' ? '' : ` (${failure.lastLine})`}`
    case 'not-run':
      return failure.message
    case 'jobs':
      return `${failure.names.join(', ')} ${failure.names.length === 1 ? 'is' : 'are'} unhealthy`
    case 'not-asked':
    case 'no-telemetry':
      return failure.why
    default:
      return assertNever(failure)
  }
}

/** Why there was no answer, by the code that Node gives. */
export function describeNoAnswer(code: string): string {
  return outcomeByCode[code] ?? code
}

const outcomeByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed before an answer',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
}

/** A span of time as people say it: `10 s`, `250 ms`. */
export function describeMs(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`
}
