import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { ListState } from '../../api/list-store.ts'
import { hasWords } from '../../lib/has-words.ts'
import { TagFilter } from '../fields/tag-filter.tsx'
import type { ListPageProps } from './list-page.tsx'
import { OrderBox, type ListOrder } from './order-box.tsx'

interface LoadedList<Item> extends Pick<
  StoreApi<ListState<Item>>,
  'getState' | 'getInitialState' | 'subscribe'
> {
  load(): Promise<void>
}

interface ListPageOptions<Item, Order extends ListOrder> {
  /** List without pages: search and order apply to all its entries. */
  readonly store: LoadedList<Item>
  /** Returns the text that is searched. */
  readonly textOf: (item: Item) => string
  /** The first one is the default; a single one is not offered as a choice. */
  readonly orders: Readonly<Record<Order, (left: Item, right: Item) => number>>
  /** Returns the tags of an entry, for lists that can be filtered by one. */
  readonly tagsOf?: (item: Item) => readonly string[]
  readonly labels: { readonly failed: string; readonly search: string; readonly tags?: string }
}

type ListParts = 'load' | 'total' | 'shown' | 'isNarrowed' | 'search' | 'choices' | 'tags'

/**
 * Loads the list of a page and lets the user search, filter and sort it. Returns its entries, those
 * shown, and the parts of `ListPage` that follow from them.
 */
export function useListPage<Item, Order extends ListOrder>({
  store,
  textOf,
  orders,
  tagsOf = () => [],
  labels,
}: ListPageOptions<Item, Order>) {
  const { items, status, problem } = useStore(store)
  const names = Object.keys(orders) as Order[]
  const [query, setQuery] = useState('')
  const [order, setOrder] = useState(names[0]!)
  const [wantedTag, setTag] = useState<string | null>(null)
  useEffect(() => void store.load(), [store])
  const tags = [...new Set(items.flatMap(tagsOf))].toSorted((left, right) =>
    left.localeCompare(right),
  )
  const tag = wantedTag !== null && tags.includes(wantedTag) ? wantedTag : null
  const shown = items
    .filter((item) => tag === null || tagsOf(item).includes(tag))
    .filter((item) => hasWords(textOf(item), query))
    .toSorted(orders[order])
  const isNarrowed = query.trim() !== '' || tag !== null
  const page: Pick<ListPageProps, ListParts> = {
    load: { status, problem, failedTitle: labels.failed, onRetry: () => void store.load() },
    total: items.length,
    shown: shown.length,
    isNarrowed,
    search: { label: labels.search, value: query, onChange: setQuery },
    choices: names.length > 1 && <OrderBox value={order} orders={names} onChange={setOrder} />,
    tags: labels.tags && (
      <TagFilter label={labels.tags} tags={tags} value={tag} onChange={setTag} />
    ),
  }
  return { items, shown, isNarrowed, page }
}
