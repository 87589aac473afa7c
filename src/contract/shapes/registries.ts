// Logins of image registries.
import { flag, part, shape, text } from './words.js'

const login = {
  host: text('`docker.io` is Docker Hub.'),
  username: text(),
  updatedAt: text(),
}

export const registryBody = shape('RegistryBody', 'Login of an image registry, without the password.', login)

export const registryLoginResponse = shape('RegistryLoginResponse', null, {
  registry: part(login),
  checked: flag('Whether the registry has accepted the login.'),
  message: text('Why the registry has not accepted it; empty if it has.'),
})
