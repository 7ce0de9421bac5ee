import { isAborted, toSentence } from '../../api/api-error.ts'
import type { ChatDeps } from './chat-deps.ts'
import { type ChatStore, isTemporaryId, withBeside, withOlderPage, withPage } from './chat-store.ts'
import { idsBeside } from './branches/comparison.ts'

const PAGE = 50
const LARGEST_PAGE = 200

interface ReadOptions {
  /** Id of a message the branch has to contain; default: the displayed branch. */
  readonly through?: string
  readonly signal?: AbortSignal
}

function lastStored(store: ChatStore): string | undefined {
  const { order, messages } = store.getState()
  return order.findLast((id) => !messages[id]?.unsent)
}

/** Loads the answers of other models shown beside those of the branch, if not loaded yet. */
async function readBeside(store: ChatStore, { api }: Pick<ChatDeps, 'api'>): Promise<void> {
  const { chatId } = store.getState()
  if (chatId === null || idsBeside(store.getState()).size === 0) return
  const { messages } = (await api.whole(chatId)).chat.history
  store.setState((state) => {
    const known = [...idsBeside(state)].flatMap(([id, siblingIds]) =>
      messages[id] ? [{ ...messages[id], siblingIds }] : [],
    )
    return withBeside(state, known)
  }, true)
}

/** Loads the end of the branch. Also recovers events missed while the connection was down. */
export async function readBranch(
  store: ChatStore,
  { api }: Pick<ChatDeps, 'api'>,
  options: ReadOptions = {},
): Promise<void> {
  const { chatId } = store.getState()
  if (chatId === null || isTemporaryId(chatId)) return
  const last = lastStored(store)
  try {
    const page = await api.branch(
      chatId,
      { through: options.through ?? last, limit: PAGE },
      options.signal,
    )
    // A message was sent or another branch was chosen meanwhile, possibly after this response was
    // created.
    if (options.through === undefined && lastStored(store) !== last)
      return await readBranch(store, { api }, options)
    store.setState((state) => withPage(state, page), true)
    await readBeside(store, { api })
  } catch (thrown) {
    if (isAborted(thrown)) return
    store.setState((state) =>
      state.order.length === 0
        ? { phase: 'failed', failure: toSentence(thrown) }
        : { isStale: false },
    )
  }
}

/**
 * Discards the displayed branch and loads the one the gateway calls active, or the one through a
 * message.
 */
export async function rereadChat(
  store: ChatStore,
  deps: Pick<ChatDeps, 'api'>,
  through?: string,
): Promise<void> {
  const { chatId } = store.getState()
  if (chatId === null) return
  const page = await deps.api.branch(chatId, { through, limit: PAGE })
  store.setState((state) => withPage({ ...state, order: [], before: null }, page), true)
  await readBeside(store, deps)
}

/**
 * Loads the page before the oldest message shown; resolves with false if there is none or a load is
 * in progress.
 */
export async function readOlder(
  store: ChatStore,
  { api }: Pick<ChatDeps, 'api'>,
  limit = PAGE,
): Promise<boolean> {
  const { chatId, before, isReadingOlder, order } = store.getState()
  if (chatId === null || before === null || isReadingOlder) return false
  store.setState({ isReadingOlder: true })
  try {
    const page = await api.branch(chatId, { through: order.at(-1), before, limit })
    store.setState(
      (state) =>
        state.before === before ? withOlderPage(state, page) : { ...state, isReadingOlder: false },
      true,
    )
    return page.messages.length > 0
  } catch (thrown) {
    store.setState({ isReadingOlder: false })
    throw thrown
  }
}

/** Loads older pages until the branch contains a message, or the whole branch if none is given. */
export async function readBackTo(
  store: ChatStore,
  deps: Pick<ChatDeps, 'api'>,
  messageId?: string,
): Promise<boolean> {
  const isFound = (): boolean =>
    messageId !== undefined && store.getState().order.includes(messageId)
  while (!isFound()) {
    if (!(await readOlder(store, deps, LARGEST_PAGE))) break
  }
  return isFound()
}
