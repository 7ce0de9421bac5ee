import { mapInOrder } from './in-order.ts'

/**
 * Goes on with a value at once where it is there already, and only else when its promise is
 * resolved, so that what has nothing to wait for stays within the same turn of the event loop.
 */
export const whenReady = <Value, Result>(
  value: Value | Promise<Value>,
  use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> => (value instanceof Promise ? value.then(use) : use(value))

/** `map` one value after the other, at once as long as nothing has to be waited for. */
export function mapWhenReady<Value, Result>(
  values: readonly Value[],
  use: (value: Value) => Result | Promise<Result>,
): Result[] | Promise<Result[]> {
  const results: Result[] = []
  for (const [place, value] of values.entries()) {
    const result = use(value)
    if (result instanceof Promise)
      return result.then(async (first) => [
        ...results,
        first,
        ...(await mapInOrder(values.slice(place + 1), use)),
      ])
    results.push(result)
  }
  return results
}
