import type { Prompt, PromptSnapshot } from '#contract/prompts.ts'
import type { Access, Resource } from '../access/index.ts'
import { toAuthor } from '../lib/author.ts'
import { forbidden, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import type { PromptRow, PromptStore, VersionStore } from './store.ts'

/** Dependencies of the operations on prompts. */
export interface PromptContext {
  readonly storage: Storage
  readonly store: PromptStore
  readonly versions: VersionStore
  readonly access: Access
  readonly users: Users
}

const toResource = ({ id, user_id }: PromptRow): Resource => ({
  type: 'prompt',
  id,
  ownerId: user_id,
})
const parse = <Value>(text: string): Value => JSON.parse(text) as Value

/** Returns the fields of a prompt that versions store. */
export function toSnapshot({
  command,
  name,
  content,
  tags,
  data,
  meta,
}: PromptRow): PromptSnapshot {
  return { command, name, content, tags: parse(tags), data: parse(data), meta: parse(meta) }
}

/** Returns a prompt as its reader sees it, with old and new field names. */
export async function toPrompt(
  { access, users }: PromptContext,
  caller: Caller,
  row: PromptRow,
): Promise<Prompt> {
  return {
    ...toSnapshot(row),
    id: row.id,
    user_id: row.user_id,
    title: row.name,
    is_active: row.is_active === 1,
    version_id: row.version_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    timestamp: row.updated_at,
    write_access: await access.allows(caller, toResource(row), 'write'),
    user: await toAuthor(users, row.user_id, caller),
    ...(await access.describe('prompt', row.id)),
  }
}

export const mayRead = (
  { access }: PromptContext,
  caller: Caller,
  row: PromptRow,
): boolean | Promise<boolean> => access.allows(caller, toResource(row), 'read')

/** Throws 404 for a prompt the caller may not read, 403 for one they may only read. */
export async function requireAllowed(
  context: PromptContext,
  caller: Caller,
  options: { row: PromptRow | null; permission: 'read' | 'write' },
) {
  const { row, permission } = options
  if (!row || !(await mayRead(context, caller, row))) throw notFound('There is no such prompt.')
  if (permission === 'write' && !(await context.access.allows(caller, toResource(row), 'write'))) {
    throw forbidden('You may use this prompt, not change it. Ask its owner.', {
      code: 'not_permitted',
    })
  }
  return row
}
