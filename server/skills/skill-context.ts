import type { Skill, SkillEntry } from '#contract/skills.ts'
import type { Access, Resource } from '../access/index.ts'
import { toAuthor } from '../lib/author.ts'
import { forbidden, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import type { SkillFileStore, SkillRow, SkillStore } from './store.ts'

/** Dependencies of the operations on skills. */
export interface SkillContext {
  readonly storage: Storage
  readonly store: SkillStore
  readonly files: SkillFileStore
  readonly access: Access
  readonly users: Users
}

export const toResource = ({ id, user_id }: SkillRow): Resource => ({
  type: 'skill',
  id,
  ownerId: user_id,
})

/** Returns a skill as lists show it to its reader. */
export async function toEntry(
  { access, users }: SkillContext,
  caller: Caller,
  row: SkillRow,
): Promise<SkillEntry> {
  const { access_grants } = await access.describe('skill', row.id)
  return {
    id: row.id,
    user_id: row.user_id,
    name: row.name,
    description: row.description || null,
    meta: JSON.parse(row.meta) as SkillEntry['meta'],
    is_active: row.is_active === 1,
    access_grants,
    write_access: await access.allows(caller, toResource(row), 'write'),
    user: await toAuthor(users, row.user_id, caller),
    updated_at: row.updated_at,
    created_at: row.created_at,
  }
}

/** Returns a skill as the API shows it, with its text and file names. */
export async function toSkill(
  context: SkillContext,
  caller: Caller,
  row: SkillRow,
): Promise<Skill> {
  return {
    ...(await toEntry(context, caller, row)),
    content: row.content,
    files: await context.files.list(row.id),
    revision: row.revision,
  }
}

export const mayRead = (
  { access }: SkillContext,
  caller: Pick<Caller, 'userId' | 'role'>,
  row: SkillRow,
): boolean | Promise<boolean> => access.allows(caller, toResource(row), 'read')

/** Throws 404 for a skill the caller may not read, 403 for one they may only read. */
export async function requireSkill(
  context: SkillContext,
  caller: Caller,
  id: string,
  permission: 'read' | 'write',
): Promise<SkillRow> {
  const row = await context.store.get(id)
  if (!row || !(await mayRead(context, caller, row))) throw notFound('There is no such skill.')
  if (permission === 'write' && !(await context.access.allows(caller, toResource(row), 'write')))
    throw forbidden('You may use this skill, not change it. Ask its owner.', {
      code: 'not_permitted',
    })
  return row
}
