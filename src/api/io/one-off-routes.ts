// Running a program once as an instance of a service, joined to the caller: on whichever machine it is placed.
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type OneOffChange, startOneOff } from '../../changes/one-offs.js'
import { isProblem, type Problem } from '../../changes/problem.js'
import { paths } from '../../contract/contract.js'
import { runQuery } from '../../contract/queries.js'
import { uuidByChance } from '../../lib/hash.js'
import { describeError } from '../../lib/io/log.js'
import type { Instant } from '../../lib/time.js'
import type { Actor } from '../../model/actor.js'
import type { MachineId } from '../../model/machine.js'
import { readVariable } from '../../model/run-variables.js'
import type { Instance } from '../../model/service.js'
import { hostnameOf } from '../../store/hostname.js'
import { isOutOfReach } from '../../store/store.js'
import type { ClusterView } from '../../store/view.js'
import { instanceBodyOf } from '../bodies.js'
import { readTerminal, type TerminalAsked, type TerminalQuerystring } from '../exec-terminal.js'
import { askPeer } from './ask-peer.js'
import { type ApiContext, actorOf, applyChange, ProblemError } from './context.js'
import { converse } from './exec-routes.js'
import { takeAway, takeAwayIfMade } from './one-off-end.js'
import { joining } from './one-off-join.js'
import { tellWaits } from './one-off-waiting.js'
import { handedOn } from './peers.js'
import { relayed } from './relay.js'
import { type Streaming, streamLines } from './streams.js'

interface RunQuerystring extends TerminalQuerystring {
  readonly argv?: string | string[]
  readonly set?: string | string[]
}

interface Asked {
  readonly argv: readonly string[]
  readonly body: Readable | null
  /** Null: pipes. */
  readonly asked: TerminalAsked | null
}

export function oneOffRoutes(server: FastifyInstance, context: ApiContext): void {
  void server.register(async (scope) => {
    // The body is the program's standard input, whatever its type: it is passed on as it comes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.post<{
      Params: { readonly project: string; readonly service: string }
      Querystring: RunQuerystring
      Body: Readable | null | undefined
    }>(
      '/v1/projects/:project/services/:service/run',
      { schema: { querystring: runQuery } },
      async (request, reply) => {
        const { params, query, body } = request
        const asked = readTerminal(query)
        if (asked !== null && isProblem(asked)) throw new ProblemError(asked)
        const argv = [query.argv ?? []].flat()
        const wanted = {
          ...{ argv, environment: variablesOf([query.set ?? []].flat()) },
          attendedBy: context.machine,
          id: uuidByChance(context.random, 'run', `${context.clock.now()}`),
        }
        context.attended.add(wanted.id)
        try {
          const instance = await made(context, actorOf(request), (view, now) =>
            startOneOff(view, params.project, params.service, wanted, context.manifests, now),
          )
          await attend(context, instance, { argv, body: body ?? null, asked }, reply)
        } finally {
          context.attended.delete(wanted.id)
        }
        // What the program left of its input: nobody waits for it.
        body?.resume()
      },
    )
  })
}

/** Makes an instance; one whose caller was told that this failed, and that was made all the same, is removed. */
async function made(
  context: ApiContext,
  by: Actor,
  decide: (view: ClusterView, now: Instant) => OneOffChange | Problem,
): Promise<Instance> {
  let decided: Instance | null = null
  try {
    const change = await applyChange(context, by, (view, now) => {
      const one = decide(view, now)
      decided = isProblem(one) ? null : one.instance
      return one
    })
    return change.instance
  } catch (error) {
    if (decided !== null && isOutOfReach(error)) takeAwayIfMade(context, decided).catch(() => {})
    throw error
  }
}

/** `KEY=VALUE` each. */
function variablesOf(pairs: readonly string[]): Readonly<Record<string, string>> {
  const read = pairs.map((pair) => {
    const variable = readVariable(pair)
    if (variable !== null) return variable
    throw new ProblemError({
      status: 400,
      code: 'api/bad-request',
      message: `set has to be of the form KEY=VALUE, and is ${JSON.stringify(pair)}`,
    })
  })
  return Object.fromEntries(read)
}

/** Waits until it can be joined, joins it, and takes it away when it is over or the caller has gone. */
async function attend(
  context: ApiContext,
  instance: Instance,
  asked: Asked,
  reply: FastifyReply,
): Promise<void> {
  const stream = streamLines(reply, context.clock)
  let exit: number | null = null
  try {
    const machine = await readyToJoin(context, instance, stream)
    exit = await (machine === context.machine
      ? joinHere(context, instance, asked, stream)
      : joinThere(context, machine, instance, asked, reply, stream))
  } catch (error) {
    if (!stream.signal.aborted) await stream.send({ error: problemOf(error) })
  } finally {
    stream.end()
    await takeAway(context, instance, exit)
  }
}

function problemOf(error: unknown): object {
  if (!(error instanceof ProblemError))
    return { code: 'api/internal', message: describeError(error), details: [] }
  const { code, message, hint } = error.problem
  return { code, message, ...(hint !== undefined && { hint }), details: [] }
}

async function joinHere(
  context: ApiContext,
  instance: Instance,
  { argv, body, asked }: Asked,
  stream: Streaming,
): Promise<number | null> {
  const driver = context.agent?.driverOf(instance.unit) ?? null
  if (driver === null) throw gone(instance)
  const conversation = joining(driver, instance)
  return await converse(conversation, instance, { argv, user: null, body, asked }, null, () => stream)
}

async function joinThere(
  context: ApiContext,
  machine: MachineId,
  { project, name }: Instance,
  { argv, body, asked }: Asked,
  reply: FastifyReply,
  { signal }: Streaming,
): Promise<number | null> {
  const query = new URLSearchParams({ join: 'true' })
  for (const word of argv) query.append('argv', word)
  if (asked !== null) {
    const { type, size } = asked
    const terminal = { tty: 'true', columns: String(size.columns), rows: String(size.rows), term: type }
    for (const [key, value] of Object.entries(terminal)) query.append(key, value)
  }
  const path = `${paths.exec(project, name)}?${query.toString()}`
  const answer = await askPeer(context, machine, { method: 'POST', path, body }, signal)
  const { registry, clock } = context
  const frames = withLast(relayed(handedOn(answer, clock), hostnameOf(registry.view, machine), signal, clock))
  await pipeline(frames.stream, reply.raw, { end: false })
  return exitIn(frames.last())
}

/** What goes through, and the end of it. */
function withLast(source: AsyncIterable<string>) {
  let last = ''
  async function* through(): AsyncGenerator<string, void, undefined> {
    for await (const lines of source) {
      last = `${last}${lines}`.slice(-lastFrameChars)
      yield lines
    }
  }
  return { stream: through(), last: () => last }
}

/** The frame that says how a program has ended is short. */
const lastFrameChars = 200

/** The exit status that the last frame of a conversation tells of; null for none. */
function exitIn(frames: string): number | null {
  const [, status] = /\{"exit":(\d+)\}\s*$/.exec(frames) ?? []
  return status === undefined ? null : Number(status)
}

/** The same as `whenReady`; the caller is told meanwhile what that waits for. */
async function readyToJoin(context: ApiContext, instance: Instance, stream: Streaming): Promise<MachineId> {
  const over = new AbortController()
  tellWaits(context, instance, stream, over.signal).catch((error: unknown) => {
    context.log.warn('api', `cannot tell what is waited for: ${describeError(error)}`, {
      instance: instance.name,
    })
  })
  try {
    return await whenReady(context, instance, stream.signal)
  } finally {
    over.abort()
  }
}

/** Resolves to the machine that it is on, once its program can be joined. Throws ProblemError where that will not be. */
async function whenReady(context: ApiContext, instance: Instance, signal: AbortSignal): Promise<MachineId> {
  const { registry } = context
  return await new Promise<MachineId>((resolve, reject) => {
    const look = (): void => {
      try {
        signal.throwIfAborted()
        const machine = readyOn(context, instance)
        if (machine === null) return
        end()
        resolve(machine)
      } catch (error) {
        end()
        reject(error instanceof Error ? error : new Error(describeError(error)))
      }
    }
    const unsubscribe = registry.onChange(look)
    const end = (): void => {
      unsubscribe()
      signal.removeEventListener('abort', look)
    }
    signal.addEventListener('abort', look)
    look()
  })
}

/** Null while it is on its way. */
function readyOn({ registry: { view }, clock }: ApiContext, instance: Instance): MachineId | null {
  const { unit } = instance
  const desired = view.units.get(unit)
  if (desired === undefined || desired.desired === 'inactive') throw gone(instance)
  const { reason } = instanceBodyOf(view, instance, clock.now())
  if (view.waiting.has(unit)) throw notRun(instance, reason)
  const report = view.reportOf(unit)
  if (report === null) return null
  if (report.failure !== null) throw notRun(instance, report.failure.message)
  if (report.launched && (report.active === 'failed' || report.active === 'inactive'))
    throw notRun(instance, reason)
  return report.active === 'active' ? report.machine : null
}

function notRun({ name }: Instance, reason: string | null): ProblemError {
  return new ProblemError({
    status: 409,
    code: 'service/cannot-run',
    message: `${name} was not run: ${reason ?? 'it did not start'}`,
  })
}

function gone({ name }: Instance): ProblemError {
  return new ProblemError({
    status: 409,
    code: 'service/cannot-run',
    message: `${name} was removed before its program was run`,
  })
}
