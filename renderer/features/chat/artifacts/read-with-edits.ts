import type { ChatState } from '../chat-store.ts'

/**
 * The conversation as a model reads it: with the newest form of each piece of code that was changed
 * by hand. What finds it is fetched only where something was.
 */
export async function readWithEdits(state: ChatState): Promise<ChatState> {
  const changed = state.order.filter((id) => state.messages[id]?.['artifacts'] !== undefined)
  if (changed.length === 0) return state
  const { readEdits, withEdits } = await import('../../../ui/artifacts/collect-artifacts.ts')
  const messages = { ...state.messages }
  for (const id of changed) {
    const message = messages[id]!
    const content = withEdits(message.content, readEdits(message['artifacts']))
    messages[id] = { ...message, content }
  }
  return { ...state, messages }
}
