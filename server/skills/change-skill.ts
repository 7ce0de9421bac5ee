import { SKILL_LIMITS, type SkillInput, type SkillUpdate } from '#contract/skills.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import { badRequest, conflict, notFound, tooLarge } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { nowSeconds } from '../lib/ids.ts'
import { requireSkill, type SkillContext } from './skill-context.ts'
import type { SkillRow } from './store.ts'

/** A file as received. */
export interface NewFile {
  readonly path: string
  readonly content: Buffer
}

async function requireFreeName(
  { store }: SkillContext,
  name: string,
  ownId: string | null,
): Promise<void> {
  const holder = await store.findByName(name)
  if (holder && holder.id !== ownId)
    throw badRequest('A skill of this name exists already. Choose another name.', {
      code: 'name_taken',
    })
}

/** Stores a skill with its files; throws 400 if its id or its name is taken. */
export async function createSkill(
  context: SkillContext,
  caller: Caller,
  input: SkillInput,
  files: readonly NewFile[] = [],
): Promise<void> {
  checkPlainJson(input.meta, 'The skill')
  const now = nowSeconds()
  await context.storage.transaction(async () => {
    if (await context.store.get(input.id))
      throw badRequest('A skill with this id exists already. Choose another id.', {
        code: 'id_taken',
      })
    await requireFreeName(context, input.name, null)
    await context.store.insert({
      id: input.id,
      user_id: caller.userId,
      name: input.name,
      description: input.description ?? '',
      content: input.content,
      meta: JSON.stringify(input.meta ?? {}),
      is_active: input.is_active === false ? 0 : 1,
      revision: 1,
      created_at: now,
      updated_at: now,
    })
    for (const file of files) await context.files.insert(input.id, { ...file, updatedAt: now })
    await context.access.replace(caller, { type: 'skill', id: input.id }, input)
  })
}

/**
 * Returns a skill as it is in the transaction that changes it: another tab may have changed it
 * since.
 */
async function currentOf(
  { store }: SkillContext,
  id: string,
  revision?: number,
): Promise<SkillRow> {
  const row = await store.get(id)
  if (!row) throw notFound('There is no such skill.')
  if (revision !== undefined && revision !== row.revision)
    throw conflict(
      'This skill was changed meanwhile. Load it again, then make your change in the new text.',
      { code: 'changed_meanwhile' },
    )
  return row
}

const nextRevision = ({ revision }: SkillRow) => ({
  revision: revision + 1,
  updated_at: nowSeconds(),
})

/** Throws 409 if the change was based on an older revision than the newest. */
export async function updateSkill(
  context: SkillContext,
  caller: Caller,
  id: string,
  changes: SkillUpdate,
): Promise<void> {
  await requireSkill(context, caller, id, 'write')
  const { name, description, content, meta, is_active: isActive, revision } = changes
  checkPlainJson(meta, 'The skill')
  await context.storage.transaction(async () => {
    const row = await currentOf(context, id, revision)
    if (name !== undefined) await requireFreeName(context, name, id)
    await context.store.update(id, {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description: description ?? '' }),
      ...(content !== undefined && { content }),
      ...(meta && { meta: JSON.stringify(meta) }),
      ...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
      ...nextRevision(row),
    })
    await context.access.replace(caller, { type: 'skill', id }, changes)
  })
}

export async function toggleSkill(
  context: SkillContext,
  caller: Caller,
  id: string,
): Promise<void> {
  await requireSkill(context, caller, id, 'write')
  await context.storage.transaction(async () => {
    const row = await currentOf(context, id)
    await context.store.update(id, { is_active: 1 - row.is_active, ...nextRevision(row) })
  })
}

/** Adds a file or replaces the one with the same path. */
export async function writeFile(
  context: SkillContext,
  caller: Caller,
  id: string,
  { path, content }: NewFile,
): Promise<void> {
  await requireSkill(context, caller, id, 'write')
  if (content.length > SKILL_LIMITS.fileBytes)
    throw tooLarge('A file of a skill may have 1 MiB. Make it smaller, or split it.')
  await context.storage.transaction(async () => {
    const row = await currentOf(context, id)
    const all = await context.files.list(id)
    const same = all.find((file) => file.path.toLowerCase() === path.toLowerCase())
    const others = all.filter((file) => file !== same)
    if (others.length >= SKILL_LIMITS.files)
      throw badRequest(`A skill may have ${SKILL_LIMITS.files} files. Delete one first.`, {
        code: 'too_many_files',
      })
    const bytes = others.reduce((sum, { size }) => sum + size, content.length)
    if (bytes > SKILL_LIMITS.allFileBytes)
      throw tooLarge('The files of a skill may have 8 MiB together. Delete some first.')
    if (same) await context.files.remove(id, same.path)
    await context.files.insert(id, { path, content, updatedAt: nowSeconds() })
    await context.store.update(id, nextRevision(row))
  })
}

export async function removeFile(
  context: SkillContext,
  caller: Caller,
  id: string,
  path: string,
): Promise<void> {
  await requireSkill(context, caller, id, 'write')
  await context.storage.transaction(async () => {
    const row = await currentOf(context, id)
    const all = await context.files.list(id)
    if (!all.some((file) => file.path === path)) throw notFound('There is no such file.')
    await context.files.remove(id, path)
    await context.store.update(id, nextRevision(row))
  })
}
