import type { Prompt, PromptListQuery } from '#contract/prompts.ts'
import type { Caller } from '../lib/http.ts'
import { toPrompt, type PromptContext } from './prompt-context.ts'
import type { PromptFilter, PromptOrder } from './store.ts'

const PAGE_SIZE = 30
const MOST_PROMPTS = 10_000

const EVERYTHING: PromptOrder = { by: 'command', direction: 'asc', offset: 0, limit: MOST_PROMPTS }

const readable = ({ access }: PromptContext, caller: Caller): PromptFilter => ({
  reader: { userId: caller.userId, seesAll: caller.role === 'admin', grantedIds: access.grantedIds(caller, 'prompt', 'read') },
  view: null,
  text: null,
  tag: null,
})

/** Every prompt a caller may use, by command. */
export function listPrompts(context: PromptContext, caller: Caller): Prompt[] {
  return context.store.list(readable(context, caller), EVERYTHING).map((row) => toPrompt(context, caller, row))
}

/** One page of what fits, the last changed first unless asked otherwise. */
export function pagePrompts(context: PromptContext, caller: Caller, query: PromptListQuery): { items: Prompt[]; total: number } {
  const { query: text, view_option, tag, order_by, direction, page = 1 } = query
  const filter = { ...readable(context, caller), view: view_option || null, text: text?.trim() || null, tag: tag || null }
  const by = order_by || 'updated_at'
  const order = {
    by,
    direction: direction || (by === 'name' || by === 'command' ? ('asc' as const) : ('desc' as const)),
    offset: (page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  }
  return {
    items: context.store.list(filter, order).map((row) => toPrompt(context, caller, row)),
    total: context.store.count(filter),
  }
}

/** Tags of everything a caller may use, sorted. */
export function listTags(context: PromptContext, caller: Caller): string[] {
  const rows = context.store.list(readable(context, caller), EVERYTHING)
  return [...new Set(rows.flatMap(({ tags }) => JSON.parse(tags) as string[]))].toSorted((one, other) => one.localeCompare(other))
}
