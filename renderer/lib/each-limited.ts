/**
 * Runs a function for every item with limited concurrency; resolves with the failures and their
 * items.
 */
export async function eachLimited<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  limit = 4,
): Promise<readonly { item: Item; thrown: unknown }[]> {
  const failures: { item: Item; thrown: unknown }[] = []
  const queue = items.values()
  const work = async (): Promise<void> => {
    for (const item of queue) {
      try {
        await act(item)
      } catch (thrown) {
        failures.push({ item, thrown })
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  return failures
}
