// Of validators.js, which the build makes of the schemas (scripts/validators.mjs). Beside each key's `expected`, what others read of them.
import type { ServiceManifest } from './schema.js'

export declare const checkService: object
export declare const checkPackages: object
export declare const packagesSchema: object
export declare const serviceSchema: {
  readonly properties: Readonly<Record<keyof ServiceManifest, Said>> & {
    readonly package: { readonly expected: string }
    readonly memory: { readonly expected: string }
    readonly affinity: { readonly maxItems: number }
    readonly stop: { readonly properties: { readonly timeout: { readonly expected: string } } }
    readonly ulimits: { readonly properties: object }
    readonly log: {
      readonly properties: Readonly<Record<'max_size' | 'max_files', { readonly expected: string }>>
    }
  }
}

interface Said {
  readonly expected?: string
}
