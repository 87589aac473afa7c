/** Whether a text is an IPv4 address in four decimal parts, or an IPv6 address without a zone. */
export function isAddress(written: string): boolean {
  return isIpv4(written) || isIpv6(written)
}

function isIpv4(written: string): boolean {
  const parts = written.split('.')
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}

function isIpv6(written: string): boolean {
  const halves = written.split('::')
  if (halves.length > 2 || !written.includes(':')) return false
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1)?.at(-1) ?? ''
  const embedded = isIpv4(last)
  const all = groups.flat().slice(0, embedded ? -1 : undefined)
  const count = all.length + (embedded ? 2 : 0)
  return (
    all.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) && (halves.length === 2 ? count < 8 : count === 8)
  )
}
