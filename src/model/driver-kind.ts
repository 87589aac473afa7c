/** Ways that an agent runs a unit. */
export const driverKinds = ['systemd', 'docker', 'process'] as const
/** `systemd`, `docker` or `process`. */
export type DriverKind = (typeof driverKinds)[number]

/** How soon a driver that does not answer is asked again. */
export const askDriverAgainMs = 1000
