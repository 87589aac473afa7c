// What an answer to a question has to be at least. Whoever answers otherwise is another program than the one that was asked, or
// another version of it.

/** An object that has a key, or a list of such; null: of any keys. */
type AnyForm = { readonly key: string | null } | { readonly each: string }

/** The form of a type: a key that its objects always have. */
export type Form<T> = T extends readonly (infer One)[]
  ? { readonly each: RequiredKey<One> }
  : { readonly key: RequiredKey<T> | null }

type RequiredKey<T> = {
  [Key in keyof T & string]-?: undefined extends T[Key] ? never : Key
}[keyof T & string]

/** Whether a value has a form. */
export function hasForm(value: unknown, form: AnyForm): boolean {
  if ('each' in form) return Array.isArray(value) && value.every((one) => hasKey(one, form.each))
  return form.key === null ? typeof value === 'object' && value !== null : hasKey(value, form.key)
}

function hasKey(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
}
