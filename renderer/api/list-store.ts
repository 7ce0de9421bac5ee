import { createStore, type StoreApi } from 'zustand/vanilla'
import { isAborted, toSentence } from './api-error.ts'

/** State common to all lists; `idle` until the first load. */
export interface ListState<Item> {
  readonly items: readonly Item[]
  /** Total number of entries, including those not loaded yet. */
  readonly total: number
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly problem: string | null
}

interface Asked<State> {
  readonly state: State
  /** Page number, starting at 1. */
  readonly page: number
  readonly signal: AbortSignal
}

type Read<Item, Extra> = Partial<Extra> & {
  readonly items: readonly Item[]
  /** Equals the number of items unless the list is paginated. */
  readonly total?: number
}

interface ListOptions<Item, Extra> {
  readonly read: (asked: Asked<ListState<Item> & Extra>) => Promise<Read<Item, Extra>>
  /** Additional state of the list besides its entries, such as its filters. */
  readonly extra: Extra
  readonly keyOf: (item: Item) => string
  /** The gateway's page size, for paginated lists. */
  readonly pageSize?: number
  /**
   * Sort order that determines the position of an inserted entry; without it a new entry is
   * appended.
   */
  readonly compare?: (left: Item, right: Item) => number
}

/**
 * Entries of one list of the gateway: loads them, by pages if necessary, applies changes
 * optimistically and reverts those the gateway refuses. A result loaded while a local change was
 * made is outdated, so it is loaded again.
 */
export class ListStore<Item, Extra extends object = object> implements Pick<
  StoreApi<ListState<Item> & Extra>,
  'getState' | 'getInitialState' | 'subscribe'
> {
  readonly #options: ListOptions<Item, Extra>
  readonly #state: StoreApi<ListState<Item> & Extra>
  #changes = 0
  #abort: AbortController | null = null

  constructor(options: ListOptions<Item, Extra>) {
    this.#options = options
    this.#state = createStore(() => ({
      items: [],
      total: 0,
      status: 'idle',
      problem: null,
      ...options.extra,
    }))
  }

  getState = (): ListState<Item> & Extra => this.#state.getState()
  getInitialState = (): ListState<Item> & Extra => this.#state.getInitialState()
  subscribe: StoreApi<ListState<Item> & Extra>['subscribe'] = (listener) =>
    this.#state.subscribe(listener)
  /** Updates part of the list's state. */
  setState(part: Partial<ListState<Item> & Extra>): void {
    this.#state.setState(part)
  }

  /** Loads from the first page; `change` sets the additional filters used from now on. */
  load(change: Partial<Extra> = {}): Promise<void> {
    const { status } = this.getState()
    const isFirst = status === 'idle' || status === 'failed'
    this.#patch({ ...change, ...(isFirst && { status: 'loading' }) } as Partial<Extra>)
    return this.#read(1)
  }

  /** Loads all listed entries again, as many pages as there are. */
  reload(): Promise<void> {
    const { pageSize = Number.POSITIVE_INFINITY } = this.#options
    return this.#read(1, Math.max(1, Math.ceil(this.getState().items.length / pageSize)))
  }

  /**
   * Loads the entries after those listed: the next page, shifted by the number of entries added or
   * removed locally.
   */
  loadMore(): Promise<void> {
    const { pageSize = 1 } = this.#options
    return this.#read(Math.floor(this.getState().items.length / pageSize) + 1)
  }

  /** Clears all state, e.g. for the next user. */
  clear(): void {
    this.stop()
    this.#state.setState(this.getInitialState(), true)
  }

  /** Aborts the load in progress. */
  stop(): void {
    this.#abort?.abort()
  }

  /** Marks the load in progress as outdated. */
  noteChange(): void {
    this.#changes += 1
  }

  /** Inserts an entry at its position, or replaces the entry with the same key. */
  put(item: Item): void {
    const { keyOf, compare } = this.#options
    const { items, total } = this.getState()
    const isKnown = items.some((each) => keyOf(each) === keyOf(item))
    const listed = isKnown
      ? items.map((each) => (keyOf(each) === keyOf(item) ? item : each))
      : [...items, item]
    this.#show(compare ? listed.toSorted(compare) : listed, isKnown ? total : total + 1)
  }

  /** Removes an entry from the list. */
  drop(key: string): void {
    const { keyOf } = this.#options
    const { items, total } = this.getState()
    const listed = items.filter((each) => keyOf(each) !== key)
    this.#show(listed, total - (items.length - listed.length))
  }

  /** Removes an entry immediately; it is restored at its position if the gateway refuses. */
  async remove(item: Item, act: () => Promise<unknown>): Promise<void> {
    const { keyOf } = this.#options
    const place = this.getState().items.findIndex((each) => keyOf(each) === keyOf(item))
    this.drop(keyOf(item))
    try {
      await act()
      // A list that was loaded meanwhile may still contain it.
      this.drop(keyOf(item))
    } catch (thrown) {
      const { items, total } = this.getState()
      this.#show(items.toSpliced(Math.max(place, 0), 0, item), total + 1)
      throw thrown
    }
  }

  /** Shows a change immediately and then the gateway's result; reverts it if refused. */
  async change(before: Item, after: Item, act: () => Promise<Item>): Promise<void> {
    this.put(after)
    try {
      this.put(await act())
    } catch (thrown) {
      this.put(before)
      throw thrown
    }
  }

  #patch(part: Partial<ListState<Item>> | Partial<Extra>): void {
    this.#state.setState(part as Partial<ListState<Item> & Extra>)
  }

  #show(items: readonly Item[], total: number): void {
    this.noteChange()
    this.#patch({ items, total: Math.max(total, items.length) })
  }

  #append(known: readonly Item[], items: readonly Item[]): readonly Item[] {
    const { keyOf } = this.#options
    const keys = new Set(known.map(keyOf))
    return [...known, ...items.filter((item) => !keys.has(keyOf(item)))]
  }

  /** Reads pages up to `last`; page 1 replaces what is listed, others are appended. */
  async #read(first: number, last = first): Promise<void> {
    this.#abort?.abort()
    const abort = new AbortController()
    this.#abort = abort
    const changes = this.#changes
    try {
      let items = first === 1 ? [] : this.getState().items
      let found: Read<Item, Extra>
      let page = first
      do {
        found = await this.#options.read({ state: this.getState(), page, signal: abort.signal })
        if (abort.signal.aborted) return
        if (this.#changes !== changes) return await this.#read(first, last)
        items = this.#append(items, found.items)
        page += 1
      } while (page <= last)
      const total = found.total ?? items.length
      this.#patch({ ...found, items, total, status: 'ready', problem: null })
    } catch (thrown) {
      if (isAborted(thrown)) return
      this.#patch({ status: 'failed', problem: toSentence(thrown) })
    }
  }
}
