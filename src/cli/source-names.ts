// Which files are manifests, and what a service is called whose file does not say.

/** The manifests of a directory's listing, sorted by name. */
export function manifestsOf(names: readonly string[]): readonly string[] {
  return names.filter((name) => /\.(ya?ml|json)$/i.test(name) && !name.startsWith('.')).sort()
}

/** `shop/web.yml` and `web.mariposa.yaml` are `web`. */
export function baseNameOf(file: string): string {
  const base = file.slice(file.lastIndexOf('/') + 1)
  return base.replace(/\.(ya?ml|json)$/i, '').replace(/\.mariposa$/i, '')
}
