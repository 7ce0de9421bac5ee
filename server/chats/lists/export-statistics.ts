import type { ChatStatistics } from '#contract/chat-lists.ts'
import type { ChatContext } from '../chat-context.ts'
import type { ChatRow } from '../store.ts'
import { describeUsage, partsOf } from './count-usage.ts'

/** One chat with each of its messages in numbers; a step for each part that is read. */
export async function* describeStatistics(
  context: ChatContext,
  chat: ChatRow,
): AsyncGenerator<void, ChatStatistics> {
  const messages: ChatStatistics['messages'] = []
  for await (const part of partsOf(context, chat.id)) {
    messages.push(
      ...(await context.lists.statistics(chat.id, part)).map(({ seq: _seq, ...row }) => row),
    )
    yield
  }
  return { ...(yield* describeUsage(context, chat)), messages }
}

interface Wanted {
  readonly page: number
  readonly items_per_page: number
  readonly start_date?: number | undefined
  readonly end_date?: number | undefined
}

/** A page of chats in numbers, those changed last first. */
export async function* exportStatistics(
  context: ChatContext,
  userId: string,
  { page, items_per_page: size, start_date: from, end_date: before }: Wanted,
): AsyncGenerator<void, { items: ChatStatistics[]; total: number; page: number }> {
  const period = { from, before }
  const items: ChatStatistics[] = []
  for (const chat of await context.lists.page(
    userId,
    { offset: (page - 1) * size, limit: size },
    period,
  )) {
    items.push(yield* describeStatistics(context, chat))
  }
  return { items, total: await context.lists.count(userId, period), page }
}
