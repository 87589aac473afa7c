// Names as Triton's container name service gives them (fidelity §3c), with the project in the place of account and data
// centre: `web.svc.shop.cns.mariposa.internal`, `web-7.inst.shop.cns.mariposa.internal`.

/** What the names of public and of private addresses end in: without a dot in front. */
export interface CnsSuffixes {
  readonly public: string
  readonly private: string
}

/** `internal` is the top-level domain that is set aside for private use. */
export const defaultCnsSuffixes: CnsSuffixes = {
  public: 'mariposa.internal',
  private: 'cns.mariposa.internal',
}

/** What Triton makes of a name: lower case, and a hyphen for each run of what cannot stand in a domain name. */
export function dnsify(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9-]+/g, '-')
}

/** The domain that names of a project stand in; `network` is `public`, `private`, or the name or uuid of a network. */
export function cnsDomain(project: string, network: string, suffixes: CnsSuffixes): string {
  return `${dnsify(project)}.${network === 'public' ? suffixes.public : suffixes.private}`
}

/** The name of a service or an instance as it is known on a network. A network of one's own is a label in front. */
export function cnsName(
  kind: 'svc' | 'inst',
  label: string,
  project: string,
  network: string,
  suffixes: CnsSuffixes,
): string {
  const name = `${label}.${kind}.${cnsDomain(project, network, suffixes)}`
  return network === 'public' || network === 'private' ? name : `${dnsify(network)}.${name}`
}
