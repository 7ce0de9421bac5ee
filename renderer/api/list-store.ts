import { createStore, type StoreApi } from 'zustand/vanilla'
import { isAborted, toSentence } from './api-error.ts'

/** What every list says of itself; `idle` until it is asked for. */
export interface ListState<Item> {
  readonly items: readonly Item[]
  /** How many there are, with those that were not read yet. */
  readonly total: number
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly problem: string | null
}

interface Asked<State> {
  readonly state: State
  /** Counts from 1. */
  readonly page: number
  readonly signal: AbortSignal
}

type Read<Item, Extra> = Partial<Extra> & {
  readonly items: readonly Item[]
  /** As many as there are items, unless the list is read by pages. */
  readonly total?: number
}

interface ListOptions<Item, Extra> {
  readonly read: (asked: Asked<ListState<Item> & Extra>) => Promise<Read<Item, Extra>>
  /** What belongs to the list besides its entries, such as what it is narrowed to. */
  readonly extra: Extra
  readonly keyOf: (item: Item) => string
  /** The gateway's own page size, for lists that are read by pages. */
  readonly pageSize?: number
  /** Where an entry that is put into the list belongs; a new one comes last without it. */
  readonly compare?: (left: Item, right: Item) => number
}

/**
 * The entries of one list of the gateway: reads them, by pages if need be, shows changes at once
 * and takes back what the gateway refuses. What was read while something was changed here is old,
 * so it is read again.
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
  /** Shows something else of what belongs to the list. */
  setState(part: Partial<ListState<Item> & Extra>): void {
    this.#state.setState(part)
  }

  /** Reads from the first page on; `change` says what else the list is narrowed to from now on. */
  load(change: Partial<Extra> = {}): Promise<void> {
    const { status } = this.getState()
    const isFirst = status === 'idle' || status === 'failed'
    this.#patch({ ...change, ...(isFirst && { status: 'loading' }) } as Partial<Extra>)
    return this.#read(1)
  }

  /**
   * Reads on behind the entries that are listed: those of the next page moved by as many as were
   * added or removed here.
   */
  loadMore(): Promise<void> {
    const { pageSize = 1 } = this.#options
    return this.#read(Math.floor(this.getState().items.length / pageSize) + 1)
  }

  /** Forgets everything, as for the next person. */
  clear(): void {
    this.stop()
    this.#state.setState(this.getInitialState(), true)
  }

  /** Gives up what is being read. */
  stop(): void {
    this.#abort?.abort()
  }

  /** Says that what is being read is old by now. */
  noteChange(): void {
    this.#changes += 1
  }

  /** Puts an entry into its place, or into that of the one with its key. */
  put(item: Item): void {
    const { keyOf, compare } = this.#options
    const { items, total } = this.getState()
    const isKnown = items.some((each) => keyOf(each) === keyOf(item))
    const listed = isKnown
      ? items.map((each) => (keyOf(each) === keyOf(item) ? item : each))
      : [...items, item]
    this.#show(compare ? listed.toSorted(compare) : listed, isKnown ? total : total + 1)
  }

  /** Takes an entry out of the list. */
  drop(key: string): void {
    const { keyOf } = this.#options
    const { items, total } = this.getState()
    const listed = items.filter((each) => keyOf(each) !== key)
    this.#show(listed, total - (items.length - listed.length))
  }

  /** Takes an entry out at once; it comes back into its place when the gateway refuses. */
  async remove(item: Item, act: () => Promise<unknown>): Promise<void> {
    const { keyOf } = this.#options
    const place = this.getState().items.findIndex((each) => keyOf(each) === keyOf(item))
    this.drop(keyOf(item))
    try {
      await act()
      // A list that was read meanwhile may still have it.
      this.drop(keyOf(item))
    } catch (thrown) {
      const { items, total } = this.getState()
      this.#show(items.toSpliced(Math.max(place, 0), 0, item), total + 1)
      throw thrown
    }
  }

  /** Shows a change at once and what the gateway made of it later; it goes back when refused. */
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

  #append(items: readonly Item[]): readonly Item[] {
    const { keyOf } = this.#options
    const known = this.getState().items
    const keys = new Set(known.map(keyOf))
    return [...known, ...items.filter((item) => !keys.has(keyOf(item)))]
  }

  async #read(page: number): Promise<void> {
    this.#abort?.abort()
    const abort = new AbortController()
    this.#abort = abort
    const changes = this.#changes
    try {
      const found = await this.#options.read({ state: this.getState(), page, signal: abort.signal })
      if (abort.signal.aborted) return
      if (this.#changes !== changes) return await this.#read(page)
      const items = page === 1 ? found.items : this.#append(found.items)
      const total = found.total ?? items.length
      this.#patch({ ...found, items, total, status: 'ready', problem: null })
    } catch (thrown) {
      if (isAborted(thrown)) return
      this.#patch({ status: 'failed', problem: toSentence(thrown) })
    }
  }
}
