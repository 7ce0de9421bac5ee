import type { ChatUsage } from '#contract/chat-lists.ts'
import type { ChatContext } from '../chat-context.ts'
import type { ChatRow } from '../store.ts'
import { tagNamesOf } from '../tags/tag-names.ts'
import type { UsageRow } from './store.ts'

const sum = (rows: readonly UsageRow[], field: 'messages' | 'characters' | 'prompt_tokens' | 'completion_tokens'): number =>
  rows.reduce((total, row) => total + row[field], 0)

const average = (rows: readonly UsageRow[]): number => {
  const messages = sum(rows, 'messages')
  return messages === 0 ? 0 : Math.round(sum(rows, 'characters') / messages)
}

function countModels(answers: readonly UsageRow[]): Record<string, number> {
  return Object.fromEntries(answers.flatMap((row) => (row.model === null ? [] : [[row.model, row.messages]])))
}

export function describeUsage({ store, lists }: ChatContext, chat: ChatRow): ChatUsage {
  const rows = lists.usage(chat.id)
  const questions = rows.filter((row) => row.role === 'user')
  const thread = chat.current_id === null ? [] : lists.modelsOfThread(chat.id, chat.current_id)
  const answers = rows.filter((row) => row.role === 'assistant')
  return {
    id: chat.id,
    title: chat.title,
    tags: tagNamesOf(chat.tags),
    created_at: chat.created_at,
    updated_at: chat.updated_at,
    last_message_at: rows.length === 0 ? chat.created_at : Math.max(...rows.map((row) => row.last_message_at)),
    message_count: chat.current_id === null ? 0 : store.depth(chat.id, chat.current_id),
    models: Object.fromEntries(thread.map(({ model, answers }) => [model, answers])),
    average_response_time: lists.averageResponseTime(chat.id),
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

/** What was said in each chat of a page; a step for each chat. */
export function* countUsage(
  context: ChatContext,
  userId: string,
  { page, size }: { page: number; size: number },
): Generator<void, { items: ChatUsage[]; total: number }> {
  const items: ChatUsage[] = []
  for (const chat of context.lists.page(userId, { offset: (page - 1) * size, limit: size })) {
    items.push(describeUsage(context, chat))
    yield
  }
  return { items, total: context.lists.count(userId) }
}
