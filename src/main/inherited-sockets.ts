// Sockets that systemd has opened for the daemon: sd_listen_fds(3).

/** The first descriptor that is handed over. */
const firstDescriptor = 3

/**
 * The descriptors of the sockets that this process was given, and nobody else: systemd names the process that it means.
 * Takes the variables out of the environment, so that no program that is started later takes them for its own.
 */
export function takeInheritedSockets(
  env: Record<string, string | undefined>,
  pid: number,
): readonly number[] {
  const { LISTEN_PID: forPid, LISTEN_FDS: count } = env
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete env[name]
  if (forPid !== String(pid) || !/^\d{1,3}$/.test(count ?? '')) return []
  return Array.from({ length: Number(count) }, (_, n) => firstDescriptor + n)
}
