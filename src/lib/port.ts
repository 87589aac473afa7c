/** The greatest number of a TCP or UDP port. */
export const greatestPort = 65_535

export function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= greatestPort
}
