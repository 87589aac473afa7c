// Keys of a service in other tools' files, and what to write here instead: the ones that people bring along most often.

const compose = 'mariposa manifest import FILE converts a Compose file'
const scale = 'the scale is no part of a manifest: mariposa service scale NAME N, or deploy --scale N'
const kubernetes =
  'this is a key of Kubernetes: a manifest here is a map with image or command, see docs/manifest.md'

const advice: Readonly<Record<string, string>> = {
  apiVersion: kubernetes,
  kind: kubernetes,
  metadata: kubernetes,
  spec: kubernetes,
  args: 'use command',
  build: `images come from a registry: push it there, and name it in image; ${compose}`,
  container_name: 'instances are named <service>-<n>',
  depends_on: `use after; ${compose}`,
  deploy: `use memory, cpu, restart and affinity; ${scale}; ${compose}`,
  env: 'use environment',
  env_file: `list the variables under environment; ${compose}`,
  expose: 'use ports: "8080" alone lets the engine choose the port of the host',
  network_mode: 'there are no networks to choose from: publish ports',
  networks: 'there are no networks to choose from: publish ports',
  replicas: scale,
  scale,
}

/** What somebody who wrote this key for another tool is to write here; undefined for keys that are not known from others. */
export function adviceOn(key: string): string | undefined {
  return Object.hasOwn(advice, key) ? advice[key] : undefined
}
