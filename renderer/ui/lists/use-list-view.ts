import { useState } from 'react'
import { hasWords } from '../../lib/has-words.ts'
import type { ListOrder } from './order-box.tsx'

type Orders<Item, Order extends ListOrder> = Readonly<
  Record<Order, (left: Item, right: Item) => number>
>

interface ListViewOptions<Item, Order extends ListOrder> {
  readonly items: readonly Item[]
  /** What a search looks through. */
  readonly textOf: (item: Item) => string
  /** The first one holds until another is chosen. */
  readonly orders: Orders<Item, Order>
}

/** Searches and orders a list that is wholly here. */
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

/** Orders by a text as people do: in their language, numbers by their size. */
export const byText =
  <Item>(textOf: (item: Item) => string) =>
  (left: Item, right: Item): number =>
    textOf(left).localeCompare(textOf(right), undefined, { numeric: true, sensitivity: 'base' })
