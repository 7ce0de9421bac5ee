/** Sorts by a text in the order of the UI's language, numbers by value. */
export const byText =
  <Item>(textOf: (item: Item) => string) =>
  (left: Item, right: Item): number =>
    textOf(left).localeCompare(textOf(right), undefined, { numeric: true, sensitivity: 'base' })
