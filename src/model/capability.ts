// The capabilities of Linux (capabilities(7)), by name without `CAP_`.

export const capabilityNames: readonly string[] = [
  ...['AUDIT_CONTROL', 'AUDIT_READ', 'AUDIT_WRITE', 'BLOCK_SUSPEND', 'BPF', 'CHECKPOINT_RESTORE', 'CHOWN'],
  ...['DAC_OVERRIDE', 'DAC_READ_SEARCH', 'FOWNER', 'FSETID', 'IPC_LOCK', 'IPC_OWNER', 'KILL', 'LEASE'],
  ...['LINUX_IMMUTABLE', 'MAC_ADMIN', 'MAC_OVERRIDE', 'MKNOD', 'NET_ADMIN', 'NET_BIND_SERVICE'],
  ...['NET_BROADCAST', 'NET_RAW', 'PERFMON', 'SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYSLOG'],
  ...['SYS_ADMIN', 'SYS_BOOT', 'SYS_CHROOT', 'SYS_MODULE', 'SYS_NICE', 'SYS_PACCT', 'SYS_PTRACE'],
  ...['SYS_RAWIO', 'SYS_RESOURCE', 'SYS_TIME', 'SYS_TTY_CONFIG', 'WAKE_ALARM'],
]

/** All of them. */
export const allCapabilities = 'ALL'

/** What Docker gives a container that asks for nothing. */
export const dockerCapabilities: readonly string[] = [
  ...['AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD', 'NET_BIND_SERVICE'],
  ...['NET_RAW', 'SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYS_CHROOT'],
]

/** A capability in capitals, without `CAP_`. */
export function bareCapability(text: string): string {
  return text.toUpperCase().replace(/^CAP_/, '')
}

/** A set of capabilities, by name: those alone, or all but those. */
export interface CapabilitySet {
  readonly kind: 'only' | 'without'
  readonly names: readonly string[]
}
