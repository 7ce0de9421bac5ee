import { useState } from 'react'
import { hasWords } from '../../lib/has-words.ts'
import type { ListOrder } from './order-box.tsx'

type Orders<Item, Order extends ListOrder> = Readonly<
  Record<Order, (left: Item, right: Item) => number>
>

interface ListViewOptions<Item, Order extends ListOrder> {
  readonly items: readonly Item[]
  /** Returns the text that is searched. */
  readonly textOf: (item: Item) => string
  /** The first one is the default. */
  readonly orders: Orders<Item, Order>
}

/** Filters and sorts a fully loaded list. */
export function useListView<Item, Order extends ListOrder>({
  items,
  textOf,
  orders,
}: ListViewOptions<Item, Order>) {
  const names = Object.keys(orders) as Order[]
  const [query, setQuery] = useState('')
  const [order, setOrder] = useState<Order>(names[0] as Order)
  const shown = items.filter((item) => hasWords(textOf(item), query)).toSorted(orders[order])
  return {
    query,
    setQuery,
    isNarrowed: query.trim() !== '',
    shown,
    order: { value: order, orders: names, onChange: setOrder },
  }
}

/** Sorts by a text in the order of the UI's language, numbers by value. */
export const byText =
  <Item>(textOf: (item: Item) => string) =>
  (left: Item, right: Item): number =>
    textOf(left).localeCompare(textOf(right), undefined, { numeric: true, sensitivity: 'base' })
