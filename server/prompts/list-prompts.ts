import type { Prompt, PromptListQuery } from '#contract/prompts.ts'
import type { Caller } from '../lib/http.ts'
import { mayRead, toPrompt, type PromptContext } from './prompt-context.ts'
import type { PromptFilter, PromptOrder } from './store.ts'

const PAGE_SIZE = 30
const MOST_PROMPTS = 10_000

const EVERYTHING: PromptOrder = { by: 'command', direction: 'asc', offset: 0, limit: MOST_PROMPTS }

const readable = ({ access }: PromptContext, caller: Caller): PromptFilter => ({
  reader: {
    userId: caller.userId,
    seesAll: caller.role === 'admin',
    grantedIds: access.grantedIds(caller, 'prompt', 'read'),
  },
  view: null,
  text: null,
  tag: null,
})

/**
 * Reads one prompt at a time, because each may be long. Prompts that were deleted meanwhile, or
 * that the caller may not read any more, are left out.
 */
function* read(context: PromptContext, caller: Caller, ids: readonly string[]): Generator<Prompt> {
  for (const id of ids) {
    const row = context.store.get(id)
    if (row && mayRead(context, caller, row)) yield toPrompt(context, caller, row)
  }
}

/** Every prompt a caller may use, by command. */
export const listPrompts = (context: PromptContext, caller: Caller): Iterable<Prompt> =>
  read(context, caller, context.store.ids(readable(context, caller), EVERYTHING))

/** One page of what fits, the last changed first unless asked otherwise. */
export function pagePrompts(
  context: PromptContext,
  caller: Caller,
  query: PromptListQuery,
): { items: Iterable<Prompt>; total: number } {
  const { query: text, view_option, tag, order_by, direction, page = 1 } = query
  const filter = {
    ...readable(context, caller),
    view: view_option || null,
    text: text?.trim() || null,
    tag: tag || null,
  }
  const by = order_by || 'updated_at'
  const order = {
    by,
    direction:
      direction || (by === 'name' || by === 'command' ? ('asc' as const) : ('desc' as const)),
    offset: (page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  }
  return {
    items: read(context, caller, context.store.ids(filter, order)),
    total: context.store.count(filter),
  }
}

/** Tags of everything a caller may use, sorted. */
export function listTags(context: PromptContext, caller: Caller): string[] {
  const tags = context.store
    .tags(readable(context, caller))
    .flatMap((each) => JSON.parse(each) as string[])
  return [...new Set(tags)].toSorted((one, other) => one.localeCompare(other))
}
