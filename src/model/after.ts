// Services that a service comes up after.

export const conditions = ['started', 'healthy', 'completed'] as const

/** What has to be true of a service before another one comes up for the first time. */
export type Condition = (typeof conditions)[number]

/** A dependency: a service of the same project, and what is waited for. */
export interface After {
  readonly service: string
  readonly condition: Condition
}

/** The dependencies of services by name; what has none may be left out. */
export type Dependencies = ReadonlyMap<string, readonly Pick<After, 'service'>[]>

/** A way from a service along its dependencies back to itself, its name at both ends; null where there is none. */
export function cycleFrom(name: string, dependencies: Dependencies): readonly string[] | null {
  const seen = new Set<string>()
  const wayFrom = (from: string): readonly string[] | null => {
    for (const { service } of dependencies.get(from) ?? []) {
      if (service === name) return [from, name]
      if (seen.has(service)) continue
      seen.add(service)
      const rest = wayFrom(service)
      if (rest !== null) return [from, ...rest]
    }
    return null
  }
  return wayFrom(name)
}
