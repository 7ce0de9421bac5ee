import type { ChatStatistics } from '#contract/chat-lists.ts'
import type { ChatContext } from '../chat-context.ts'
import type { ChatRow } from '../store.ts'
import { describeUsage, partsOf } from './count-usage.ts'

/** Computes the statistics of a chat and each of its messages; one step for each part. */
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
  readonly start_date?: number
  readonly end_date?: number
}

/** Returns the statistics of a page of chats, most recently changed first. */
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
