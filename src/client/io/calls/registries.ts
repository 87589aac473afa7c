// Logins to registries of images.
import type { RegistryBody, RegistryLoginRequest, RegistryLoginResponse } from '../../../contract/contract.js'
import { paths } from '../../../contract/contract.js'
import { by, each } from '../../forms.js'
import type { Page, PageQuery } from '../../page.js'
import type { Requests } from '../requests.js'

export interface RegistryCalls {
  /** Who registries of images are asked as. */
  registries(signal?: AbortSignal, page?: PageQuery): Promise<Page<RegistryBody>>
  logInToRegistry(
    host: string,
    request: RegistryLoginRequest,
    signal?: AbortSignal,
  ): Promise<RegistryLoginResponse>
  logOutOfRegistry(host: string, signal?: AbortSignal): Promise<{ readonly host: string }>
}

export function registryCalls({ list, change }: Requests): RegistryCalls {
  return {
    registries: (signal, page) => list(each('host'), paths.registries, signal, page),
    logInToRegistry: (host, request, signal) =>
      change(
        by('registry'),
        'mariposa registry list',
        { method: 'PUT', path: paths.registry(host), json: request },
        signal,
      ),
    logOutOfRegistry: (host, signal) =>
      change(by('host'), 'mariposa registry list', { method: 'DELETE', path: paths.registry(host) }, signal),
  }
}
