/** A fault that is put into the product on purpose: in `file`, `to` takes the place of `from`. */
export interface Mutation {
  readonly name: string
  readonly about: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly args?: readonly string[]
}
export declare const mutations: readonly Mutation[]
