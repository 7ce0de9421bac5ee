import type { ChooseFilters, RequestFilters } from '../extensions/filters.ts'

function merge(one: RequestFilters | null, other: RequestFilters | null): RequestFilters | null {
  if (!one || !other) return one ?? other
  return {
    inlets: [...one.inlets, ...other.inlets],
    stream: [...one.stream, ...other.stream],
    handlesFiles: one.handlesFiles === true || other.handlesFiles === true,
    close() {
      one.close?.()
      other.close?.()
    },
  }
}

/**
 * Combines two kinds of filters, those of the first before those of the second; synchronously if
 * both return synchronously.
 */
export const joinFilters =
  (first: ChooseFilters, second: ChooseFilters): ChooseFilters =>
  (context) => {
    const one = first(context)
    const other = second(context)
    if (!(one instanceof Promise) && !(other instanceof Promise)) return merge(one, other)
    return Promise.all([one, other]).then((chosen) => merge(...chosen))
  }
