import type { ChatState } from '../chat-store.ts'

/**
 * Resolves with the conversation as sent to a model: with the latest version of each code block
 * that was edited by hand. The module for this is loaded only if there are such edits.
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
