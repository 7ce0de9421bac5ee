import { mapInOrder } from '../in-order.ts'

/**
 * Continues synchronously if the value is available, and otherwise when its promise is resolved, so
 * that code without anything to wait for stays within the same turn of the event loop.
 */
export const whenReady = <Value, Result>(
  value: Value | Promise<Value>,
  use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> => (value instanceof Promise ? value.then(use) : use(value))

/** Maps one value after the other, synchronously as long as there is nothing to wait for. */
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
