import type { PromptDiff, PromptSnapshot, PromptVersion } from '#contract/prompts.ts'
import { toAuthor } from '../lib/author.ts'
import { badRequest, notFound } from '../lib/errors.ts'
import { readInGroups } from '../lib/timing/read-in-groups.ts'
import { diffLines } from './diff-lines.ts'
import type { PromptContext } from './prompt-context.ts'
import type { PromptRow, VersionRow } from './store.ts'

const PAGE_SIZE = 30

async function toVersion({ users }: PromptContext, row: VersionRow): Promise<PromptVersion> {
  return {
    ...row,
    snapshot: JSON.parse(row.snapshot) as PromptSnapshot,
    user: await toAuthor(users, row.user_id),
  }
}

/** Yields the versions of a prompt, newest first; a few are read at a time, as each may be long. */
export async function* listVersions(
  context: PromptContext,
  prompt: PromptRow,
  page = 1,
): AsyncGenerator<PromptVersion> {
  const { versions } = context
  const ids = await versions.ids(prompt.id, { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE })
  for await (const row of readInGroups(ids, (some) => versions.several(some)))
    yield await toVersion(context, row)
}

export async function getVersion(
  context: PromptContext,
  prompt: PromptRow,
  id: string,
): Promise<PromptVersion> {
  const row = await context.versions.get(prompt.id, id)
  if (!row) throw notFound('There is no such version of this prompt.')
  return toVersion(context, row)
}

export async function removeVersion(
  context: PromptContext,
  prompt: PromptRow,
  id: string,
): Promise<void> {
  await getVersion(context, prompt, id)
  if (id === prompt.version_id)
    throw badRequest('This version is in use. Choose another one first, then delete it.')
  await context.versions.remove(id)
}

export async function compareVersions(
  context: PromptContext,
  prompt: PromptRow,
  ids: { from_id: string; to_id: string },
): Promise<PromptDiff> {
  const from = await getVersion(context, prompt, ids.from_id)
  const to = await getVersion(context, prompt, ids.to_id)
  return {
    from,
    to,
    content_diff: diffLines(from.snapshot.content, to.snapshot.content),
    name_changed: from.snapshot.name !== to.snapshot.name,
    command_changed: from.snapshot.command !== to.snapshot.command,
  }
}
