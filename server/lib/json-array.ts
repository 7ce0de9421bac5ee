/** The JSON of values one after the other, each as it is shown. */
export function* toTexts<Value>(
  values: Iterable<Value>,
  show: (value: Value) => unknown = (value) => value,
): Generator<string> {
  for (const value of values) yield JSON.stringify(show(value))
}

/**
 * A JSON array of the texts of its elements, piece by piece, so that a list of long things is never
 * in memory as a whole.
 */
export function* toJsonArray(texts: Iterable<string>): Generator<string> {
  yield '['
  let isFirst = true
  for (const text of texts) {
    yield isFirst ? text : `,${text}`
    isFirst = false
  }
  yield ']'
}

/** The same for a page of a longer list, whatever stands beside it last. */
export function* toJsonPage({
  items,
  ...beside
}: {
  items: Iterable<unknown>
  total: number
}): Generator<string> {
  yield '{"items":'
  yield* toJsonArray(toTexts(items))
  yield `,${JSON.stringify(beside).slice(1)}`
}
