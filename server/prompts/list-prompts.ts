import type { Prompt, PromptListQuery } from '#contract/prompts.ts'
import type { Caller } from '../lib/http.ts'
import { readInGroups, type SizedId } from '../lib/timing/read-in-groups.ts'
import { mayRead, toPrompt, type PromptContext } from './prompt-context.ts'
import type { PromptFilter, PromptOrder, PromptRow } from './store.ts'

const PAGE_SIZE = 30
const MOST_PROMPTS = 10_000

const EVERYTHING: PromptOrder = { by: 'command', direction: 'asc', offset: 0, limit: MOST_PROMPTS }

const readable = async ({ access }: PromptContext, caller: Caller): Promise<PromptFilter> => ({
  reader: {
    userId: caller.userId,
    seesAll: caller.role === 'admin',
    grantedIds: await access.grantedIds(caller, 'prompt', 'read'),
  },
  view: null,
  text: null,
  tag: null,
})

/**
 * Reads a few prompts at a time, because each may be long. Prompts that were deleted meanwhile, or
 * that the caller may no longer read, are left out.
 */
async function* read(
  context: PromptContext,
  caller: Caller,
  ids: readonly SizedId[],
): AsyncGenerator<Prompt> {
  const readSeveral = async (some: readonly string[]): Promise<PromptRow[]> => {
    const rows = await context.store.several(some)
    await context.users.readAhead(rows.map((row) => row.user_id))
    return rows
  }
  for await (const row of readInGroups(ids, readSeveral))
    if (await mayRead(context, caller, row)) yield await toPrompt(context, caller, row)
}

/** Yields every prompt a caller may use, by command. */
export async function* listPrompts(context: PromptContext, caller: Caller): AsyncGenerator<Prompt> {
  yield* read(context, caller, await context.store.ids(await readable(context, caller), EVERYTHING))
}

/** Returns one page of matching prompts, last changed first by default. */
export async function pagePrompts(
  context: PromptContext,
  caller: Caller,
  query: PromptListQuery,
): Promise<{ items: AsyncIterable<Prompt>; total: number }> {
  const { query: text, view_option, tag, order_by, direction, page = 1 } = query
  const filter = {
    ...(await readable(context, caller)),
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
    items: read(context, caller, await context.store.ids(filter, order)),
    total: await context.store.count(filter),
  }
}

/** Returns the tags of all prompts a caller may use, sorted. */
export async function listTags(context: PromptContext, caller: Caller): Promise<string[]> {
  const tags = (await context.store.tags(await readable(context, caller))).flatMap(
    (each) => JSON.parse(each) as string[],
  )
  return [...new Set(tags)].toSorted((one, other) => one.localeCompare(other))
}
