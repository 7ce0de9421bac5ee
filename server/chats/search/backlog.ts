import { isLongText, toBoundedIndexText } from '../../lib/index-text.ts'
import { nextTurn, runInTurns, SLICE_MILLISECONDS } from '../../lib/turns.ts'
import type { Storage } from '../../storage/index.ts'
import type { ChatSearch } from './index.ts'
import type { SearchStore, TextToIndex } from './store.ts'

/** Most messages indexed in one transaction; long ones end it earlier. */
const STEP = 50

/**
 * Chats that came with very many messages are indexed a little at a time; what is left is noted in
 * the database.
 */
export interface SearchBacklog {
  /**
   * Goes on with what is left, others being served in between; it begins after what is being done
   * now, such as a transaction.
   */
  wake(): void
  /** Does what is left, in short steps. */
  finish(): Generator<void, void>
}

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

export function createSearchBacklog({
  storage,
  store,
  search,
}: {
  storage: Storage
  store: SearchStore
  search: ChatSearch
}): SearchBacklog {
  let isAwake = false

  /** Indexes short texts that changed; answers the first long one. */
  function indexShort(seqs: readonly number[]): TextToIndex | null {
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
  function* indexLong(text: TextToIndex): Generator<void, void> {
    const words = yield* toBoundedIndexText(text.content)
    storage.transaction(() => {
      if (store.textToIndex(text.seq)?.content !== text.content) return
      search.indexWords(text, text.user_id, words)
      store.forgetChangedText(text.seq)
    })
  }

  function* indexChanged(): Generator<void, boolean> {
    const seqs = store.changedTexts(STEP)
    if (seqs.length === 0) return false
    const long = indexShort(seqs)
    if (long) yield* indexLong(long)
    return true
  }

  function indexSome(): boolean {
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

  function* finish(): Generator<void, void> {
    while (store.hasBacklog() && ((yield* indexChanged()) || indexSome())) yield
  }

  return {
    finish,
    wake() {
      if (isAwake || !store.hasBacklog()) return
      isAwake = true
      const sleep = (): void => {
        isAwake = false
      }
      // A fault leaves the rest in the backlog, and the next search goes on with it.
      void nextTurn()
        .then(() => runInTurns(finish()))
        .then(sleep, sleep)
    },
  }
}
