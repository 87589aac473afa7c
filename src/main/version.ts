import manifest from '../../package.json' with { type: 'json' }

/** Mariposa's version; the build puts it into the program. */
export const version: string = manifest.version
