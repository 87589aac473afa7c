// The shape of what a proxy is configured with.

export type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json | undefined }
export type JsonMap = { readonly [key: string]: Json | undefined }
