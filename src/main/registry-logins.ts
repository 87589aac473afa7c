// Who the registries of images are asked as, for the drivers of this machine: what the cluster has sealed.
import type { RegistryLogins } from '../agent/driver.js'
import { loginPlace, registryOfImage } from '../model/registry-login.js'
import type { Registry } from '../store/io/registry.js'
import { type KeyedBox, SecretError } from '../store/io/secret-box.js'

/** Opens what is sealed when it is asked for: nothing of it is kept in the clear. */
export function loginsOf({ view }: Pick<Registry, 'view'>, secrets: KeyedBox): RegistryLogins {
  return (image) => {
    const host = registryOfImage(image)
    const login = view.registryLogins.get(host)
    if (login === undefined) return null
    try {
      return { host, username: login.username, password: secrets.open(login.sealed, loginPlace(host)) }
    } catch (error) {
      if (!(error instanceof SecretError)) throw error
      return { problem: `the login of ${host} cannot be decrypted: ${error.message}` }
    }
  }
}
