// Routes about who registries of images are asked as.
import type { FastifyInstance } from 'fastify'
import { logIn, loginProblem, logOut, registryBodyOf, registryNamed } from '../../changes/registries.js'
import type { RegistryBody, RegistryLoginRequest, RegistryLoginResponse } from '../../contract/contract.js'
import { pageQuery } from '../../contract/queries.js'
import { registryLoginRequest } from '../../contract/requests.js'
import { abortAfter } from '../../lib/io/clock.js'
import { registryOrder } from '../orders.js'
import { type ApiContext, actorOf, applyChange, orRefuse, ProblemError } from './context.js'
import { sealing } from './make-secret.js'
import { pageOf } from './pages.js'

interface OfRegistry {
  readonly host: string
}

/** How long Docker may ask a registry whether a login is right. */
const checkedWithinMs = 15_000

export function registryRoutes(server: FastifyInstance, context: ApiContext): void {
  const { registry, secrets } = context
  const { view } = registry
  server.get('/v1/registries', { schema: { querystring: pageQuery } }, (request, reply): RegistryBody[] =>
    pageOf(request, reply, registryOrder, [...view.registryLogins.values()]).map(registryBodyOf),
  )
  server.put<{ Params: OfRegistry; Body: RegistryLoginRequest }>(
    '/v1/registries/:host',
    { schema: { body: registryLoginRequest } },
    async (request): Promise<RegistryLoginResponse> => {
      const { host } = orRefuse(registryNamed(request.params.host))
      const problem = loginProblem(request.body)
      if (problem !== null) throw new ProblemError(problem)
      const { isRight, message } = await check(context, host, request.body)
      await applyChange(context, actorOf(request), (now, at) =>
        sealing(secrets, now, (seal) => logIn({ host }, request.body, seal, at)),
      )
      const login = view.registryLogins.get(host)
      const { username } = request.body
      const registry = login === undefined ? { host, username, updatedAt: '' } : registryBodyOf(login)
      return { registry, checked: isRight, message }
    },
  )
  server.delete<{ Params: OfRegistry }>('/v1/registries/:host', async (request) => {
    const { host } = orRefuse(registryNamed(request.params.host))
    await applyChange(context, actorOf(request), (now) => logOut(now, host))
    return { host }
  })
}

interface Checked {
  readonly isRight: boolean
  readonly message: string
}

/** Has the Docker of this machine ask the registry. Throws ProblemError where that says no. */
async function check(
  { loginChecker, clock }: ApiContext,
  host: string,
  { username, password, check: wanted = true }: RegistryLoginRequest,
): Promise<Checked> {
  const ask = loginChecker()
  if (!wanted) return { isRight: false, message: 'the login was not checked' }
  if (ask === null)
    return { isRight: false, message: 'the machine that was asked has no Docker to check the login' }
  const found = await ask({ host, username, password }, abortAfter(clock, checkedWithinMs))
  if (found.kind === 'right') return { isRight: true, message: '' }
  if (found.kind === 'unknown') return { isRight: false, message: found.reason }
  throw new ProblemError({
    status: 422,
    code: 'registry/refused',
    message: `${host} refuses ${username}: ${found.reason}`,
    hint: 'nothing was changed; correct the username or the password',
  })
}
