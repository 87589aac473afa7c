/** Ways that an agent runs a unit. */
export const driverKinds = ['systemd', 'docker', 'process'] as const
export type DriverKind = (typeof driverKinds)[number]
