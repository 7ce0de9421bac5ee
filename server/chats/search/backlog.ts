import { runInTurns, SLICE_MILLISECONDS } from '../../lib/turns.ts'
import type { Storage } from '../../storage/index.ts'
import type { ChatSearch } from './index.ts'
import type { SearchStore } from './store.ts'

/** Most messages indexed in one transaction; long ones end it earlier. */
const STEP = 50

/** Chats that came with very many messages are indexed a little at a time; what is left is noted in the database. */
export interface SearchBacklog {
  /** Goes on with what is left, others being served in between. */
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

  function indexChanged(): boolean {
    return storage.transaction(() => {
      const texts = store.changedTexts(STEP)
      doSome(texts, ({ seq, content, running, user_id: userId }) => {
        if (content !== null) search.indexMessage({ seq, content, running }, userId)
        store.forgetChangedText(seq)
      })
      return texts.length > 0
    })
  }

  function indexSome(): boolean {
    return storage.transaction(() => {
      const entry = store.nextInBacklog()
      if (!entry) return false
      const messages = store.messagesAfter(entry.chat_id, entry.after_seq, STEP)
      const done = doSome(messages, (message) => search.indexMessage(message, entry.user_id))
      const last = messages[done - 1]
      if (last && (done < messages.length || messages.length === STEP)) store.moveBacklog(entry.chat_id, last.seq)
      else store.leaveBacklog(entry.chat_id)
      return true
    })
  }

  function* finish(): Generator<void, void> {
    while (store.hasBacklog() && (indexChanged() || indexSome())) yield
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
      runInTurns(finish()).then(sleep, sleep)
    },
  }
}
