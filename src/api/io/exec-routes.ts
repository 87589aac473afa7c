// Running a program beside an instance, on whichever machine that is.
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Driver } from '../../agent/driver.js'
import { isProblem } from '../../changes/problem.js'
import { beatHeader, type ExecFrame, execHeader } from '../../contract/contract.js'
import { detachQuery, execQuery } from '../../contract/queries.js'
import { describeError } from '../../lib/io/log.js'
import { DriverError } from '../../model/driver-error.js'
import type { MachineId } from '../../model/machine.js'
import type { Instance } from '../../model/service.js'
import { hostnameOf } from '../../store/hostname.js'
import { userProblem } from '../../unit/policy.js'
import { hasSection } from '../../unit/values.js'
import { readTerminal, type TerminalAsked, type TerminalQuerystring } from '../exec-terminal.js'
import { instancesNamed } from '../explain.js'
import { askPeer } from './ask-peer.js'
import { type ApiContext, ProblemError } from './context.js'
import { type Conversation, joining, oneOffNamed } from './one-off-join.js'
import { handedOn, machineHeader, type PeerRequest } from './peers.js'
import { relayed } from './relay.js'
import { answersInStream } from './serving.js'
import { bodyOf, goneSignal, type Streaming, streamLines } from './streams.js'
import { terminalInput } from './terminal-input.js'

interface ExecParams {
  readonly project: string
  readonly instance: string
}

interface ExecQuerystring extends TerminalQuerystring {
  readonly argv?: string | string[]
  readonly user?: string
  readonly join?: string
}

/** Programs in a terminal that run now, by their id: the way to leave each. */
type Running = Map<string, () => void>

export function execRoutes(server: FastifyInstance, context: ApiContext): void {
  const running: Running = new Map()
  void server.register(async (scope) => {
    // The body is the program's standard input, whatever its type: it is passed on as it comes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.post<{ Params: ExecParams; Querystring: ExecQuerystring; Body: Readable | null | undefined }>(
      '/v1/projects/:project/exec/:instance',
      { schema: { querystring: execQuery } },
      async ({ params, query, body, raw, headers }, reply) => {
        const argv = [query.argv ?? []].flat()
        if (argv.length === 0)
          throw new ProblemError({ status: 400, code: 'api/bad-request', message: 'no command is given' })
        const isJoin = query.join === 'true'
        const { instance, machine } = isJoin
          ? oneOffNamed(context, params.project, params.instance)
          : runningInstance(context, params.project, params.instance)
        if (machine !== context.machine && headers[machineHeader] === undefined) {
          await passOn(context, machine, { method: 'POST', path: raw.url ?? '', body: body ?? null }, reply)
          return
        }
        const driver = context.agent?.driverOf(instance.unit) ?? null
        if (driver === null) throw notRunning(instance.name)
        refuseUser(context, instance, query.user ?? null)
        const asked = readTerminal(query)
        if (asked !== null && isProblem(asked)) throw new ProblemError(asked)
        const asksFor = { argv, user: query.user ?? null, body: body ?? null, asked }
        const begin = (exec: string): Streaming => {
          if (asked !== null && !isJoin) reply.raw.setHeader(execHeader, exec)
          return streamLines(reply, context.clock)
        }
        await (isJoin
          ? converse(joining(driver, instance), instance, asksFor, null, begin)
          : converse(executing(driver, instance), instance, asksFor, running, begin))
        // What the program left of its input: nobody waits for it.
        body?.resume()
      },
    )
    scope.post<{ Params: ExecParams; Querystring: { readonly exec?: string } }>(
      '/v1/projects/:project/exec/:instance/detach',
      { schema: { querystring: detachQuery } },
      async ({ params, query, raw, headers }, reply) => {
        const { machine } = runningInstance(context, params.project, params.instance)
        if (machine !== context.machine && headers[machineHeader] === undefined) {
          const request = { method: 'POST', path: raw.url ?? '', body: null } as const
          const answer = await askPeer(context, machine, request, goneSignal(reply))
          answer.resume()
          return {}
        }
        const leave = running.get(idOf(params, query.exec ?? ''))
        if (leave === undefined) throw notThere(params.instance)
        leave()
        return {}
      },
    )
  })
}

/** What is run beside a program keeps to the policy of the machine that it runs on. */
function refuseUser(
  { manifests, registry, units }: ApiContext,
  { unit }: Instance,
  user: string | null,
): void {
  const desired = registry.view.units.get(unit)
  const { policy = null } = manifests
  if (policy === null || desired === undefined) return
  const message = userProblem(policy, user, hasSection(units.file(desired.hash), 'Container'))
  if (message !== null) throw new ProblemError({ status: 403, code: 'policy/root', message })
}

/** Of no use beside another instance than its own. */
function idOf({ project, instance }: ExecParams, exec: string): string {
  return `${project}/${instance}/${exec}`
}

function notThere(instance: string): ProblemError {
  const message = `no program of that id runs in a terminal beside ${instance}; it may have ended`
  return new ProblemError({ status: 404, code: 'instance/no-exec', message })
}

function runningInstance(
  { registry: { view } }: ApiContext,
  project: string,
  name: string,
): { readonly instance: Instance; readonly machine: MachineId } {
  const instance = instancesNamed(view, project, name)?.find((one) => one.name === name)
  if (instance === undefined) {
    throw new ProblemError({
      status: 404,
      code: 'instance/unknown',
      message: `there is no instance "${name}" in project "${project}"`,
      hint: 'mariposa service instances shows the instances',
    })
  }
  const report = view.reportOf(instance.unit)
  if (report?.active !== 'active') throw notRunning(name)
  if (!view.machines.has(report.machine)) throw onDownMachine(name, hostnameOf(view, report.machine))
  return { instance, machine: report.machine }
}

function executing(driver: Driver, { unit }: Instance): Conversation {
  return (request, signal) => driver.exec(unit, request, signal)
}

function notRunning(name: string): ProblemError {
  return new ProblemError({ status: 409, code: 'instance/not-running', message: `${name} is not running` })
}

/** What became of it there nobody knows. */
function onDownMachine(instance: string, hostname: string): ProblemError {
  return new ProblemError({
    status: 502,
    code: 'api/peer-unreachable',
    message: `the machine of ${instance}, ${hostname}, is down`,
    hint: 'mariposa machine list shows since when',
  })
}

/** Hands a request on to the daemon of another machine, and its answer back as it comes. */
async function passOn(
  context: ApiContext,
  machine: MachineId,
  request: PeerRequest,
  reply: FastifyReply,
): Promise<void> {
  const gone = goneSignal(reply)
  const answer = await askPeer(context, machine, request, gone)
  reply.hijack()
  answersInStream(reply.raw)
  const { [execHeader]: id, [beatHeader]: beat } = answer.headers
  reply.raw.writeHead(200, {
    'content-type': 'application/x-ndjson',
    'cache-control': 'no-store',
    ...(id !== undefined && { [execHeader]: id }),
    ...(beat !== undefined && { [beatHeader]: beat }),
  })
  // A program may say nothing for long: that it runs is told now.
  reply.raw.flushHeaders()
  const hostname = hostnameOf(context.registry.view, machine)
  // What fails here is that the caller has left.
  await pipeline(relayed(handedOn(answer, context.clock), hostname, gone, context.clock), reply.raw).catch(
    () => {},
  )
}

/**
 * Runs it to its end, or until the caller has gone; whoever detaches leaves it to itself, but where there is no `running` to be
 * left by: then it ends as well. Resolves to its exit status; null where nobody was told of one.
 */
export async function converse(
  conversation: Conversation,
  instance: Instance,
  {
    argv,
    user,
    body,
    asked,
  }: {
    readonly argv: readonly string[]
    readonly user: string | null
    readonly body: Readable | null
    /** Null: pipes. */
    readonly asked: TerminalAsked | null
  },
  running: Running | null,
  /** Begins the answer; it is told the id of the program. */
  begin: (exec: string) => Streaming,
): Promise<number | null> {
  const exec = randomUUID()
  const stream = begin(exec)
  const send = (frame: ExecFrame): Promise<void> => stream.send(frame)
  const giveUp = new AbortController()
  const left = new AbortController()
  const detach = (): void => {
    if (running === null) {
      giveUp.abort()
      return
    }
    if (left.signal.aborted) return
    left.abort()
    stopWatching?.()
    send({ detached: true }).then(stream.end, stream.end)
  }
  const gone = (): void => {
    if (!left.signal.aborted) giveUp.abort()
  }
  stream.signal.addEventListener('abort', gone)
  if (stream.signal.aborted) gone()
  const stopWatching = body === null ? null : stream.watchHeldUp(body)
  const id = idOf({ project: instance.project, instance: instance.name }, exec)
  if (asked !== null) running?.set(id, detach)
  try {
    const joined =
      asked === null
        ? { stdin: body === null ? null : bodyOf(body) }
        : terminalInput(body ?? Readable.from([]), asked, detach, left.signal)
    const onOutput = (name: 'stdout' | 'stderr', chunk: Uint8Array): Promise<void> =>
      left.signal.aborted
        ? Promise.resolve()
        : send({ stream: name, base64: Buffer.from(chunk).toString('base64') })
    const { code } = await conversation({ argv, user, ...joined, onOutput }, giveUp.signal)
    if (!left.signal.aborted) await send({ exit: code })
    return code
  } catch (error) {
    const code = error instanceof DriverError ? error.code : 'api/internal'
    if (!left.signal.aborted) await send({ error: { code, message: describeError(error), details: [] } })
    return null
  } finally {
    running?.delete(id)
    stopWatching?.()
    stream.end()
  }
}
