import { runInTurns } from '../../lib/turns.ts'
import type { Storage } from '../../storage/index.ts'
import type { ChatSearch } from './index.ts'
import type { SearchStore } from './store.ts'

/** Messages indexed in one transaction. */
const STEP = 50

/** Chats that came with very many messages are indexed a little at a time; what is left is noted in the database. */
export interface SearchBacklog {
  /** Goes on with what is left, others being served in between. */
  wake(): void
  /** Does what is left, in short steps. */
  finish(): Generator<void, void>
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

  function indexSome(): boolean {
    return storage.transaction(() => {
      const entry = store.nextInBacklog()
      if (!entry) return false
      const messages = store.messagesAfter(entry.chat_id, entry.after_seq, STEP)
      for (const message of messages) search.indexMessage(message, entry.user_id)
      const last = messages.at(-1)
      if (last && messages.length === STEP) store.moveBacklog(entry.chat_id, last.seq)
      else store.leaveBacklog(entry.chat_id)
      return true
    })
  }

  function* finish(): Generator<void, void> {
    while (store.hasBacklog() && indexSome()) yield
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
