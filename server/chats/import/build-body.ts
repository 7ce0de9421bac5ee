import type { ChatBodyInput } from '#contract/chats.ts'

/** A message from another service. */
export interface ParsedMessage {
  readonly id: string
  readonly parentId: string | null
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: string
  readonly reasoning: string
  readonly model: string | null
  readonly time: number | null
  /** Attachments, which refer to files of the archive by their ids. */
  readonly files?: readonly AttachedFile[]
}

/** An attachment as messages store it. */
export interface AttachedFile {
  readonly type: 'file'
  readonly id: string
  readonly name: string
}

const LONGEST_TITLE = 2000

function toMessage(
  message: ParsedMessage,
  childrenIds: readonly string[],
): Record<string, unknown> {
  const { id, parentId, role, content, reasoning, model, time, files = [] } = message
  const answer =
    role === 'assistant' ? { done: true, ...(model !== null && { model, modelName: model }) } : {}
  return {
    id,
    parentId,
    childrenIds,
    role,
    content,
    ...(files.length > 0 && { files }),
    ...(time !== null && { timestamp: time }),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...answer,
  }
}

/** Builds the chat body from messages listed with parents first and siblings in order. */
export function buildBody(parsed: {
  title: string
  created: number | null
  messages: readonly ParsedMessage[]
  currentId: string | null
}): ChatBodyInput {
  const { title, created, messages, currentId } = parsed
  const children = Map.groupBy(messages, (message) => message.parentId)
  const models = new Set(messages.flatMap((message) => message.model ?? []))
  const entries = messages.map((message) => {
    const childrenIds = (children.get(message.id) ?? []).map((child) => child.id)
    return [message.id, toMessage(message, childrenIds)] as const
  })
  return {
    title: title.slice(0, LONGEST_TITLE),
    models: [...models].slice(0, 100),
    ...(created !== null && { timestamp: created * 1000 }),
    history: {
      currentId: currentId ?? messages.at(-1)?.id ?? null,
      messages: Object.fromEntries(entries),
    },
  } as ChatBodyInput
}
