import type { Skill, SkillEntry, SkillListQuery } from '#contract/skills.ts'
import type { Caller } from '../lib/http.ts'
import { readInGroups, type SizedId } from '../lib/timing/read-in-groups.ts'
import { mayRead, toEntry, toSkill, type SkillContext } from './skill-context.ts'
import type { SkillFilter, SkillRow } from './store.ts'

const PAGE_SIZE = 30
const MOST_SKILLS = 10_000

const readable = async ({ access }: SkillContext, caller: Caller): Promise<SkillFilter> => ({
  reader: {
    userId: caller.userId,
    seesAll: caller.role === 'admin',
    grantedIds: await access.grantedIds(caller, 'skill', 'read'),
  },
  view: null,
  text: null,
})

/**
 * Reads a few skills at a time, because each may be long. Skills that were deleted meanwhile, or
 * that the caller may no longer read, are left out.
 */
async function* read<Shown>(
  { context, caller }: { readonly context: SkillContext; readonly caller: Caller },
  ids: readonly SizedId[],
  show: (context: SkillContext, caller: Caller, row: SkillRow) => Promise<Shown>,
): AsyncGenerator<Shown> {
  const readSeveral = async (some: readonly string[]): Promise<SkillRow[]> => {
    const rows = await context.store.several(some)
    await context.users.readAhead(rows.map((row) => row.user_id))
    return rows
  }
  for await (const row of readInGroups(ids, readSeveral))
    if (await mayRead(context, caller, row)) yield await show(context, caller, row)
}

async function allIds(context: SkillContext, caller: Caller): Promise<SizedId[]> {
  return context.store.ids(await readable(context, caller), { offset: 0, limit: MOST_SKILLS })
}

/** Yields every skill a caller may read, without the texts. */
export async function* listSkills(
  context: SkillContext,
  caller: Caller,
): AsyncGenerator<SkillEntry> {
  yield* read({ context, caller }, await allIds(context, caller), toEntry)
}

/** Yields every skill a caller may read, with the texts. */
export async function* exportSkills(context: SkillContext, caller: Caller): AsyncGenerator<Skill> {
  yield* read({ context, caller }, await allIds(context, caller), toSkill)
}

/** Returns one page of matching skills, by name. */
export async function pageSkills(
  context: SkillContext,
  caller: Caller,
  { query, view_option: view, page = 1 }: SkillListQuery,
): Promise<{ items: AsyncIterable<Skill>; total: number }> {
  const filter = {
    ...(await readable(context, caller)),
    view: view || null,
    text: query?.trim() || null,
  }
  const ids = await context.store.ids(filter, {
    offset: (page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  })
  return {
    items: read({ context, caller }, ids, toSkill),
    total: await context.store.count(filter),
  }
}
