/**
 * Yields the JSON of values one after the other, each converted for display; '' for a missing one.
 */
export async function* toTexts<Value>(
  values: Iterable<Value | undefined> | AsyncIterable<Value | undefined>,
  show: (value: Value) => unknown = (value) => value,
): AsyncGenerator<string> {
  for await (const value of values)
    yield value === undefined ? '' : JSON.stringify(await show(value))
}

/**
 * Yields a JSON array of the texts of its elements, piece by piece, so that a list of long items is
 * never in memory as a whole. Empty texts are left out.
 */
export async function* toJsonArray(
  texts: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  yield '['
  let isFirst = true
  for await (const text of texts) {
    yield isFirst || text === '' ? text : `,${text}`
    isFirst &&= text === ''
  }
  yield ']'
}

/** Yields the JSON of a page of a longer list, with the other fields last. */
export async function* toJsonPage<Item>(
  {
    items,
    ...beside
  }: {
    items: Iterable<Item> | AsyncIterable<Item>
    total: number
  },
  show?: (item: Item) => unknown,
): AsyncGenerator<string> {
  yield '{"items":'
  yield* toJsonArray(toTexts(items, show))
  yield `,${JSON.stringify(beside).slice(1)}`
}
