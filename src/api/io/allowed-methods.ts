// Which methods the paths of our API take, so that a request with another one is told so, and not that there is no such path.
import type { FastifyInstance } from 'fastify'

/** Goes before the routes. The function that it returns tells the methods of a path of ours, sorted; none for one that is not. */
export function followMethods(server: FastifyInstance): (path: string) => readonly string[] {
  const methods = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ url, method }) => {
    const of = methods.get(url) ?? new Set()
    for (const one of [method].flat()) of.add(one)
    methods.set(url, of)
  })
  return (path) => {
    const segments = path.split('/')
    const found = [...methods].filter(([pattern]) => fits(pattern.split('/'), segments))
    return [...new Set(found.flatMap(([, of]) => [...of]))].sort()
  }
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) => (part.startsWith(':') ? segments[at] !== '' : part === segments[at]))
  )
}
