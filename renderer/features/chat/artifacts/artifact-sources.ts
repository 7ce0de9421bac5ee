import { type ArtifactSource, readEdits } from '../../../ui/artifacts/collect-artifacts.ts'
import { type ChatMessage, type ChatState, isGrowing } from '../chat-store.ts'

const known = new WeakMap<ChatMessage, ArtifactSource>()

function toSource(message: ChatMessage): ArtifactSource {
  const found = known.get(message)
  if (found) return found
  const source = {
    messageId: message.id,
    text: message.content,
    isGrowing: isGrowing(message),
    edits: readEdits(message['artifacts']),
  }
  known.set(message, source)
  return source
}

/**
 * Returns the answers of the branch on screen. If an answer beside it is selected, such as another
 * model's, it replaces the one on the branch.
 */
export function listSources(
  { order, messages }: Pick<ChatState, 'order' | 'messages'>,
  openedId: string,
): readonly ArtifactSource[] {
  const opened = messages[openedId]
  return order.flatMap((id) => {
    const isBeside =
      opened !== undefined && !order.includes(openedId) && opened.siblingIds.includes(id)
    const message = isBeside ? opened : messages[id]
    return message?.role === 'assistant' ? [toSource(message)] : []
  })
}
