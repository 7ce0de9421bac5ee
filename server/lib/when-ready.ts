/**
 * Goes on with a value at once where it is there already, and only else when its promise is
 * resolved, so that what has nothing to wait for stays within the same turn of the event loop.
 */
export const whenReady = <Value, Result>(
  value: Value | Promise<Value>,
  use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> => (value instanceof Promise ? value.then(use) : use(value))
