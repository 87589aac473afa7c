/** The lines of a log one by one, for tests to look at each. */
export async function* eachLine<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T, void, undefined> {
  for await (const lines of batches) yield* lines
}
