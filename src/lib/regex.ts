// Regular expressions from users, matched in linear time by re2js: an expression such as (a+)+$ cannot hold the engine up.
import { RE2JS, RE2JSSyntaxException } from 're2js'

/** Says whether a text contains a match; the expression is not anchored. */
export type Matcher = (text: string) => boolean

/** Longer than any that a person writes. */
const longestExpression = 256

/** A match costs at most this times the text's length; counted repetitions may make much of a short expression. */
const longestProgram = 1_000

/** Compiles an expression, or says in words why it is none that is known here. */
export function compileRegex(expression: string): Matcher | { readonly problem: string } {
  if (expression.length > longestExpression)
    return { problem: `a regular expression has at most ${longestExpression} characters` }
  try {
    const compiled = RE2JS.compile(expression)
    if (compiled.programSize() > longestProgram) return { problem: 'its counted repetitions are too many' }
    return (text) => compiled.test(text)
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return { problem: error.getDescription() }
    throw error
  }
}
