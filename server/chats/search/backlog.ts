import { isLongText, toBoundedIndexText } from '../../lib/text/index-text.ts'
import { inGroups } from '../../lib/timing/in-groups.ts'
import { inOwnContext } from '../../lib/timing/in-own-context.ts'
import { nextTurn, runInTurns } from '../../lib/turns.ts'
import type { Storage } from '../../storage/index.ts'
import type { ChatSearch } from './index.ts'
import type { SearchStore, TextToIndex } from './store.ts'

/** Maximum number of messages indexed in one transaction; long ones end it earlier. */
const STEP = 50

/** Processes the first value and as many more as the time allows; returns their number. */
async function doSome<Value>(
  values: readonly Value[],
  milliseconds: number,
  work: (value: Value) => Promise<void>,
): Promise<number> {
  const end = performance.now() + milliseconds
  let done = 0
  for (const value of values) {
    await work(value)
    done += 1
    if (performance.now() > end) break
  }
  return done
}

/**
 * Chats stored with very many messages are indexed in small steps; the rest is recorded in the
 * database.
 */
export class SearchBacklog {
  readonly #deps: {
    storage: Storage
    store: SearchStore
    search: ChatSearch
  }
  #isAwake = false
  #isWanted = false

  constructor(deps: { storage: Storage; store: SearchStore; search: ChatSearch }) {
    this.#deps = deps
  }

  /** Indexes the rest, in short steps. */
  async *finish(): AsyncGenerator<void, void> {
    while (
      (await this.#deps.store.hasBacklog()) &&
      // Indexing moves a long text from the backlog to the changed texts, so the backlog must come
      // first, or it would be missed.
      ((await this.#indexSome()) || (yield* this.#indexChanged()))
    )
      yield
  }

  /**
   * Continues with the rest and lets other work run in between; starts once the calling transaction
   * is over.
   */
  async wake(): Promise<void> {
    const { storage, store } = this.#deps
    if (await store.hasBacklog()) storage.afterCommit(() => inOwnContext(() => this.#begin()))
  }

  #begin(): void {
    this.#isWanted = true
    if (this.#isAwake) return
    this.#isAwake = true
    const sleep = (): void => {
      this.#isAwake = false
    }
    // An error leaves the rest in the backlog, and the next search continues with it.
    void nextTurn()
      .then(() => this.#finishAll())
      .then(sleep, sleep)
  }

  /** Repeats for texts that arrived meanwhile. */
  async #finishAll(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false
      await runInTurns(this.finish())
    }
  }

  /** Indexes changed short texts; returns the first long one. */
  async #indexShort(seqs: readonly number[]): Promise<TextToIndex | null> {
    const { storage, store, search } = this.#deps
    let long: TextToIndex | null = null
    await storage.transaction(() =>
      doSome(seqs, storage.pace.milliseconds, async (seq) => {
        const text = await store.textToIndex(seq)
        if (text && text.running !== 1 && isLongText(text.content)) {
          long ??= text
          return
        }
        if (text) await search.indexMessage(text, text.user_id)
        await store.forgetChangedText(seq)
      }),
    )
    return long
  }

  /**
   * Extracts the words of a long text in short steps, and indexes them if it is still unchanged.
   */
  async *#indexLong(text: TextToIndex): AsyncGenerator<void, void> {
    const { storage, store, search } = this.#deps
    const words = yield* toBoundedIndexText(text.content)
    await storage.transaction(async () => {
      if ((await store.textToIndex(text.seq))?.content !== text.content) return
      await search.indexWords(text, text.user_id, words)
      await store.forgetChangedText(text.seq)
    })
  }

  async *#indexChanged(): AsyncGenerator<void, boolean> {
    const seqs = await this.#deps.store.changedTexts(STEP)
    if (seqs.length === 0) return false
    const long = await this.#indexShort(seqs)
    if (long) yield* this.#indexLong(long)
    return true
  }

  /**
   * Indexes a group of messages. Long texts are read one by one, since many of them would fill the
   * memory.
   */
  async #indexGroup(seqs: readonly number[], userId: string): Promise<void> {
    const { store, search } = this.#deps
    const short = seqs.length > 1 ? await store.shortTexts(seqs) : []
    await search.indexMessages(short, userId)
    const known = new Set(short.map(({ seq }) => seq))
    for (const seq of seqs) {
      const text = known.has(seq) ? undefined : await store.textToIndex(seq)
      if (text) await search.indexMessage(text, userId)
    }
  }

  async #indexSome(): Promise<boolean> {
    const { storage, store } = this.#deps
    return storage.transaction(async () => {
      const entry = await store.nextInBacklog()
      if (!entry) return false
      const seqs = await store.messagesAfter(entry.chat_id, entry.after_seq, STEP)
      const groups = inGroups(seqs, storage.pace.rows)
      const done = await doSome(groups, storage.pace.milliseconds, (group) =>
        this.#indexGroup(group, entry.user_id),
      )
      const last = groups[done - 1]?.at(-1)
      if (last !== undefined && (done < groups.length || seqs.length === STEP))
        await store.moveBacklog(entry.chat_id, last)
      else await store.leaveBacklog(entry.chat_id)
      return true
    })
  }
}
