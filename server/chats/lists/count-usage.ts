import type { ChatUsage } from '#contract/chat-lists.ts'
import type { ChatContext } from '../chat-context.ts'
import type { ChatRow } from '../store.ts'
import { tagNamesOf } from '../tags/tag-names.ts'
import type { MessagePart, UsageRow } from './store.ts'

const sum = (
  rows: readonly UsageRow[],
  field: 'messages' | 'characters' | 'prompt_tokens' | 'completion_tokens',
): number => rows.reduce((total, row) => total + row[field], 0)

const average = (rows: readonly UsageRow[]): number => {
  const messages = sum(rows, 'messages')
  return messages === 0 ? 0 : Math.round(sum(rows, 'characters') / messages)
}

function countModels(answers: readonly UsageRow[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { model, messages } of answers)
    if (model !== null) counts.set(model, (counts.get(model) ?? 0) + messages)
  return Object.fromEntries(counts)
}

/**
 * Yields the parts of a chat that are read one after the other, because its messages may be many
 * and long.
 */
export async function* partsOf(
  { lists }: ChatContext,
  chatId: string,
): AsyncGenerator<MessagePart> {
  let after = 0
  for (
    let end = await lists.endOfStep(chatId, after);
    end !== null;
    end = await lists.endOfStep(chatId, after)
  ) {
    yield { after, end }
    after = end
  }
}

/** Computes the usage of a chat; one step for each part. */
export async function* describeUsage(
  context: ChatContext,
  chat: ChatRow,
): AsyncGenerator<void, ChatUsage> {
  const { store, lists } = context
  const rows: UsageRow[] = []
  for await (const part of partsOf(context, chat.id)) {
    rows.push(...(await lists.usage(chat.id, part)))
    yield
  }
  const questions = rows.filter((row) => row.role === 'user')
  const thread =
    chat.current_id === null ? [] : await lists.modelsOfThread(chat.id, chat.current_id)
  const answers = rows.filter((row) => row.role === 'assistant')
  return {
    id: chat.id,
    title: chat.title,
    tags: tagNamesOf(chat.tags),
    created_at: chat.created_at,
    updated_at: chat.updated_at,
    last_message_at:
      rows.length === 0
        ? chat.created_at
        : rows.map((row) => row.last_message_at).reduce((one, other) => Math.max(one, other)),
    message_count: chat.current_id === null ? 0 : await store.depth(chat.id, chat.current_id),
    models: Object.fromEntries(thread.map(({ model, answers }) => [model, answers])),
    average_response_time: await lists.averageResponseTime(chat.id),
    history_message_count: sum(rows, 'messages'),
    history_user_message_count: sum(questions, 'messages'),
    history_assistant_message_count: sum(answers, 'messages'),
    history_models: countModels(answers),
    average_user_message_content_length: average(questions),
    average_assistant_message_content_length: average(answers),
    prompt_tokens: sum(rows, 'prompt_tokens'),
    completion_tokens: sum(rows, 'completion_tokens'),
  }
}

/** Computes the usage of each chat of a page, in short steps. */
export async function* countUsage(
  context: ChatContext,
  userId: string,
  { page, size }: { page: number; size: number },
): AsyncGenerator<void, { items: ChatUsage[]; total: number }> {
  const items: ChatUsage[] = []
  for (const chat of await context.lists.page(userId, { offset: (page - 1) * size, limit: size })) {
    items.push(yield* describeUsage(context, chat))
    yield
  }
  return { items, total: await context.lists.count(userId) }
}
