/** The JSON of values one after the other, each as it is shown; '' for one that is not there. */
export function* toTexts<Value>(
  values: Iterable<Value | undefined>,
  show: (value: Value) => unknown = (value) => value,
): Generator<string> {
  for (const value of values) yield value === undefined ? '' : JSON.stringify(show(value))
}

/**
 * A JSON array of the texts of its elements, piece by piece, so that a list of long things is never
 * in memory as a whole. What has no text is left out.
 */
export function* toJsonArray(texts: Iterable<string>): Generator<string> {
  yield '['
  let isFirst = true
  for (const text of texts) {
    yield isFirst || text === '' ? text : `,${text}`
    isFirst &&= text === ''
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
