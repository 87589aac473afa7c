// Compose names services as people like; a service here is a DNS label.

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** The name here of each service of a Compose file. A name that is a DNS label stays; others never take one of those. */
export function chooseNames(names: readonly string[]): ReadonlyMap<string, string> {
  const chosen = new Map(names.filter((name) => label.test(name)).map((name) => [name, name]))
  const taken = new Set(chosen.values())
  for (const name of names) {
    if (chosen.has(name)) continue
    const free = freeName(labelOf(name), taken)
    chosen.set(name, free)
    taken.add(free)
  }
  return chosen
}

function labelOf(name: string): string {
  const letters = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 58)
  return letters.replace(/^-+|-+$/g, '') || 'service'
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted
  for (let n = 2; taken.has(name); n += 1) name = `${wanted}-${n}`
  return name
}

/** Host names in a text: what stands behind `://` or `@`, or in front of `:` and a port. */
const hosts = /(?<=:\/\/|@)[A-Za-z0-9_.-]+(?![A-Za-z0-9_.@-])|(?<![A-Za-z0-9_./$-])[A-Za-z0-9_.-]+(?=:\d)/g

/** The services that a text names as hosts. */
export function servicesNamedIn(text: string, names: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...text.matchAll(hosts)].map(([host]) => host).filter((host) => names.has(host)))]
}

/** The same text, with every service that it names as a host under its new name. */
export function withNewNames(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(hosts, (host) => names.get(host) ?? host)
}
