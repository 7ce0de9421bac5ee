import { isLongText, toBoundedIndexText } from '../../lib/index-text.ts'
import { nextTurn, runInTurns, SLICE_MILLISECONDS } from '../../lib/turns.ts'
import type { Storage } from '../../storage/index.ts'
import type { ChatSearch } from './index.ts'
import type { SearchStore, TextToIndex } from './store.ts'

/** Most messages indexed in one transaction; long ones end it earlier. */
const STEP = 50

/** Does the first one and as many more as there is time for; says how many. */
function doSome<Value>(values: readonly Value[], work: (value: Value) => void): number {
  const end = performance.now() + SLICE_MILLISECONDS
  let done = 0
  for (const value of values) {
    work(value)
    done += 1
    if (performance.now() > end) break
  }
  return done
}

/**
 * Chats that came with very many messages are indexed a little at a time; what is left is noted in
 * the database.
 */
export class SearchBacklog {
  readonly #deps: {
    storage: Storage
    store: SearchStore
    search: ChatSearch
  }
  #isAwake = false

  constructor(deps: { storage: Storage; store: SearchStore; search: ChatSearch }) {
    this.#deps = deps
  }

  /** Does what is left, in short steps. */
  *finish(): Generator<void, void> {
    while (this.#deps.store.hasBacklog() && ((yield* this.#indexChanged()) || this.#indexSome()))
      yield
  }

  /**
   * Goes on with what is left, others being served in between; it begins after what is being done
   * now, such as a transaction.
   */
  wake(): void {
    if (this.#isAwake || !this.#deps.store.hasBacklog()) return
    this.#isAwake = true
    const sleep = (): void => {
      this.#isAwake = false
    }
    // A fault leaves the rest in the backlog, and the next search goes on with it.
    void nextTurn()
      .then(() => runInTurns(this.finish()))
      .then(sleep, sleep)
  }

  /** Indexes short texts that changed; answers the first long one. */
  #indexShort(seqs: readonly number[]): TextToIndex | null {
    const { storage, store, search } = this.#deps
    let long: TextToIndex | null = null
    storage.transaction(() =>
      doSome(seqs, (seq) => {
        const text = store.textToIndex(seq)
        if (text && text.running !== 1 && isLongText(text.content)) {
          long ??= text
          return
        }
        if (text) search.indexMessage(text, text.user_id)
        store.forgetChangedText(seq)
      }),
    )
    return long
  }

  /** Finds the words of a long text in short steps, and indexes them when it is still the same. */
  *#indexLong(text: TextToIndex): Generator<void, void> {
    const { storage, store, search } = this.#deps
    const words = yield* toBoundedIndexText(text.content)
    storage.transaction(() => {
      if (store.textToIndex(text.seq)?.content !== text.content) return
      search.indexWords(text, text.user_id, words)
      store.forgetChangedText(text.seq)
    })
  }

  *#indexChanged(): Generator<void, boolean> {
    const seqs = this.#deps.store.changedTexts(STEP)
    if (seqs.length === 0) return false
    const long = this.#indexShort(seqs)
    if (long) yield* this.#indexLong(long)
    return true
  }

  #indexSome(): boolean {
    const { storage, store, search } = this.#deps
    return storage.transaction(() => {
      const entry = store.nextInBacklog()
      if (!entry) return false
      const seqs = store.messagesAfter(entry.chat_id, entry.after_seq, STEP)
      const done = doSome(seqs, (seq) => {
        const text = store.textToIndex(seq)
        if (text) search.indexMessage(text, entry.user_id)
      })
      const last = seqs[done - 1]
      if (last !== undefined && (done < seqs.length || seqs.length === STEP))
        store.moveBacklog(entry.chat_id, last)
      else store.leaveBacklog(entry.chat_id)
      return true
    })
  }
}
