// Environment files as systemd reads them (env-file.c), and so does supervisor/environment-file.ts.

/** The text of a file that sets these variables, whatever is in their values. */
export function printEnvironmentFile(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}="${value.replace(/["\\`$]/g, '\\$&')}"\n`)
    .join('')
}
