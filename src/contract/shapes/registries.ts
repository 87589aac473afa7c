// Shapes of the logins of registries.
import { flag, part, shape, text } from './words.js'

const login = {
  host: text('`docker.io` is Docker Hub.'),
  username: text(),
  updatedAt: text(),
}

export const registryBody = shape('RegistryBody', 'Who a registry is asked as, without the password.', login)

export const registryLoginResponse = shape('RegistryLoginResponse', null, {
  registry: part(login),
  checked: flag('Whether the registry has said that the login is right.'),
  message: text('Why it has not; empty where it has.'),
})
