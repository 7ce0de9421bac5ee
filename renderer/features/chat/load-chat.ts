import { isAborted, toSentence } from '../../api/api-error.ts'
import type { ChatDeps } from './chat-deps.ts'
import { type ChatStore, isTemporaryId, withBeside, withOlderPage, withPage } from './chat-store.ts'
import { idsBeside } from './comparison.ts'

const PAGE = 50
const LARGEST_PAGE = 200

interface ReadOptions {
  /** A message the branch has to pass through; default: the branch on the screen. */
  readonly through?: string
  readonly signal?: AbortSignal
}

function lastStored(store: ChatStore): string | undefined {
  const { order, messages } = store.getState()
  return order.findLast((id) => !messages[id]?.unsent)
}

/**
 * Reads the answers of other models that are shown beside those of the branch, where they are not
 * known yet.
 */
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

/** Reads the end of the branch. Also mends what was missed while the line was down. */
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
    // A message was sent or another branch chosen meanwhile, perhaps after this was written.
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
 * Forgets the branch on the screen and reads the one the gateway calls active, or the one through a
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
 * Reads the page before the oldest message shown; false when there is none or one is on its way.
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

/** Reads upwards until a message is on the branch, or the whole branch when none is named. */
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
