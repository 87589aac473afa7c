// What a request asks for, as clients write it in its first line.

/**
 * The path and query of a request target. A client may write the whole URL, as to a proxy (RFC 9112, 3.2.2), and
 * fleetctl does: what is in front of its path is cut off, so that all who read the target see one form.
 */
export function originForm(target: string): string {
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '')
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`
}
