// The signals of Linux, by name, as kill(1) lists them.

const names: readonly string[] = [
  ...[
    'HUP',
    'INT',
    'QUIT',
    'ILL',
    'TRAP',
    'ABRT',
    'BUS',
    'FPE',
    'KILL',
    'USR1',
    'SEGV',
    'USR2',
    'PIPE',
    'ALRM',
    'TERM',
  ],
  ...[
    'STKFLT',
    'CHLD',
    'CONT',
    'STOP',
    'TSTP',
    'TTIN',
    'TTOU',
    'URG',
    'XCPU',
    'XFSZ',
    'VTALRM',
    'PROF',
    'WINCH',
    'IO',
  ],
  ...['PWR', 'SYS'],
].map((name) => `SIG${name}`)

/** The name of a signal (`SIGTERM`) from `SIGTERM`, `TERM` or `15`; null for text that names none. */
export function signalName(text: string): string | null {
  const byNumber = /^[0-9]{1,2}$/.test(text) ? names[Number(text) - 1] : undefined
  return byNumber ?? names.find((name) => name === text || name === `SIG${text}`) ?? null
}

/** A real-time signal, such as `SIGRTMIN+3`, by which systemd in a container is stopped. */
export function isRealTimeSignal(text: string): boolean {
  return /^(SIG)?RTMIN\+([1-9]|1[0-5])$/.test(text)
}
