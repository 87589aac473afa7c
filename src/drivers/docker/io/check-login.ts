// Whether a registry takes a login: Docker asks it, as `docker login` does.
import type Docker from 'dockerode'
import type { CheckedLogin, PlainLogin } from '../../../agent/driver.js'
import { abortable } from '../../../lib/io/abortable.js'
import { credentialsOf } from '../credentials.js'
import { sentenceOf, statusOf } from './connection.js'

/** Never throws: a registry that cannot be asked from here may well be reached from the machines that pull. */
export async function checkLogin(
  docker: Docker,
  login: PlainLogin,
  signal: AbortSignal,
): Promise<CheckedLogin> {
  try {
    await abortable(docker.checkAuth(credentialsOf(login)), signal)
    return { kind: 'right' }
  } catch (error) {
    if (signal.aborted) return { kind: 'unknown', reason: `${login.host} did not answer in time` }
    const said = sentenceOf(error)
    const refused = statusOf(error) === 401 || /unauthorized|incorrect username|denied/i.test(said)
    return refused ? { kind: 'refused', reason: said } : { kind: 'unknown', reason: said }
  }
}
