// Variables of a program that others act on as well: the loader, the C library, a shell. Between the daemon and a program of another
// user are programs of ours that run as root (setpriv, nsenter, a shell). With such variables they would do as that user wishes.

/** What glibc leaves out where a program has more rights than its caller (unsecvars.h), what musl does, and what shells act on. */
const actedOn =
  /^(LD_.*|GLIBC_.*|MALLOC_.*|BASH.*|GCONV_PATH|GETCONF_DIR|HOSTALIASES|LOCALDOMAIN|LOCPATH|NIS_PATH|NLSPATH|RESOLV_HOST_CONF|RES_OPTIONS|TMPDIR|TZDIR|ENV|PS4|SHELLOPTS|CDPATH)$/

/** The variables of a program, as it gets them by way of others. */
interface LateVariables {
  /** Those that the programs before it may have. */
  readonly early: Readonly<Record<string, string>>
  /** Words that give a program the others and then become it, to be run as its user; none where there are no others. */
  readonly words: readonly string[]
}

/** Parts the variables of a program; `tool` says where a program of ours is. */
export function lateVariables(
  environment: Readonly<Record<string, string>>,
  program: string,
  tool: (name: 'env' | 'nice') => string,
): LateVariables {
  const entries = Object.entries(environment)
  const late = entries.filter(([name]) => actedOn.test(name))
  if (late.length === 0) return { early: environment, words: [] }
  const assignments = late.map(([name, value]) => `${name}=${value}`)
  // env(1) takes a path with an equals sign for a variable; nice(1) adds nothing and runs it.
  const become = program.includes('=') ? [tool('nice'), '-n', '0', '--'] : []
  return {
    early: Object.fromEntries(entries.filter(([name]) => !actedOn.test(name))),
    words: [tool('env'), ...assignments, ...become],
  }
}
