// Where the daemon listens.

export type ListenAddress =
  /** A socket that was handed over, by its descriptor. */
  | { readonly kind: 'inherited'; readonly fd: number }
  | { readonly kind: 'unix'; readonly path: string }
  /** Port 0: any that is free. */
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
