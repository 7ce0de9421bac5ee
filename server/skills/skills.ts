import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccessControl, AccessGrant } from '#contract/access.ts'
import { endpoints } from '#contract/endpoints.ts'
import {
  skillIdSchema,
  type Skill,
  type SkillEntry,
  type SkillInput,
  type SkillListQuery,
  type SkillUpdate,
} from '#contract/skills.ts'
import { badRequest, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import {
  createSkill,
  removeFile,
  toggleSkill,
  updateSkill,
  writeFile,
  type NewFile,
} from './change-skill.ts'
import { exportSkills, listSkills, pageSkills } from './list-skills.ts'
import { receiveArchive } from './receive-archive.ts'
import { sendArchive, sendSkillFile } from './send-archive.ts'
import { mayRead, requireSkill, toEntry, toSkill, type SkillContext } from './skill-context.ts'
import { SkillFileStore, SkillStore, type SkillRow } from './store.ts'

/** A skill a caller may let models read. */
export type UsableSkill = Pick<SkillRow, 'id' | 'name' | 'description' | 'content'>

/**
 * Instructions with files that models read when needed, on the tables of `0043-skills`. Throws 404
 * for skills the caller may not read, 403 for those they may only read.
 */
export class Skills {
  readonly #context: SkillContext

  constructor(deps: Pick<SkillContext, 'storage' | 'access' | 'users'>) {
    const { storage } = deps
    this.#context = {
      ...deps,
      store: new SkillStore(storage),
      files: new SkillFileStore(storage),
    }
  }

  list(caller: Caller): AsyncIterable<SkillEntry> {
    return listSkills(this.#context, caller)
  }

  page(
    caller: Caller,
    query: SkillListQuery,
  ): Promise<{ items: AsyncIterable<Skill>; total: number }> {
    return pageSkills(this.#context, caller, query)
  }

  export(caller: Caller): AsyncIterable<Skill> {
    return exportSkills(this.#context, caller)
  }

  async get(caller: Caller, id: string): Promise<Skill> {
    return toSkill(this.#context, caller, await requireSkill(this.#context, caller, id, 'read'))
  }

  async create(caller: Caller, input: SkillInput): Promise<SkillEntry> {
    await createSkill(this.#context, caller, input)
    const row = await requireSkill(this.#context, caller, input.id, 'read')
    return toEntry(this.#context, caller, row)
  }

  /** Stores the skill of an uploaded zip. */
  async import(caller: Caller, request: IncomingMessage): Promise<Skill> {
    const bytes = await receiveArchive(request, endpoints.skills.import.upload)
    // Loaded by the first import, with the code that unpacks.
    const { readArchive } = await import('./read-archive.ts')
    const { name, description, content, folder, files } = await readArchive(bytes)
    const id = skillIdSchema.safeParse(folder).data ?? skillIdSchema.safeParse(name).data
    if (id === undefined)
      throw badRequest('The name of the skill has no letter or digit an id could begin with.', {
        code: 'unreadable_archive',
      })
    if (name.length > 200 || description.length > 2000)
      throw badRequest('The name or the description in SKILL.md is too long.', {
        code: 'unreadable_archive',
      })
    await createSkill(this.#context, caller, { id, name, description, content }, files)
    return this.get(caller, id)
  }

  async update(caller: Caller, id: string, changes: SkillUpdate): Promise<Skill> {
    await updateSkill(this.#context, caller, id, changes)
    return this.get(caller, id)
  }

  async updateAccess(
    caller: Caller,
    id: string,
    grants: { access_grants?: AccessGrant[] | null; access_control?: AccessControl },
  ): Promise<Skill> {
    await requireSkill(this.#context, caller, id, 'write')
    await this.#context.access.replace(caller, { type: 'skill', id }, grants)
    return this.get(caller, id)
  }

  async toggle(caller: Caller, id: string): Promise<Skill> {
    await toggleSkill(this.#context, caller, id)
    return this.get(caller, id)
  }

  async remove(caller: Caller, id: string): Promise<void> {
    await requireSkill(this.#context, caller, id, 'write')
    const { storage, store, access } = this.#context
    await storage.transaction(async () => {
      await store.remove(id)
      await access.remove('skill', id)
    })
  }

  async writeFile(caller: Caller, id: string, file: NewFile): Promise<Skill> {
    await writeFile(this.#context, caller, id, file)
    return this.get(caller, id)
  }

  async removeFile(caller: Caller, id: string, path: string): Promise<Skill> {
    await removeFile(this.#context, caller, id, path)
    return this.get(caller, id)
  }

  async sendFile(
    caller: Caller,
    { id, path }: { readonly id: string; readonly path: string },
    response: ServerResponse,
  ): Promise<void> {
    await requireSkill(this.#context, caller, id, 'read')
    const content = await this.#context.files.read(id, path)
    if (!content) throw notFound('There is no such file.')
    sendSkillFile(path, content, response)
  }

  async sendArchive(caller: Caller, id: string, response: ServerResponse): Promise<void> {
    const row = await requireSkill(this.#context, caller, id, 'read')
    await sendArchive(this.#context, row, response)
  }

  /**
   * Returns a skill for a model answering this caller: null if it does not exist, is switched off,
   * or the caller may not read it.
   */
  async usable(caller: Pick<Caller, 'userId' | 'role'>, id: string): Promise<UsableSkill | null> {
    const row = await this.#context.store.get(id)
    if (row?.is_active !== 1 || !(await mayRead(this.#context, caller, row))) return null
    return row
  }

  /** Returns the paths of a skill's files; the caller must have called `usable` before. */
  async filesOf({ id }: Pick<UsableSkill, 'id'>): Promise<string[]> {
    return (await this.#context.files.list(id)).map(({ path }) => path)
  }

  fileOf({ id }: Pick<UsableSkill, 'id'>, path: string): Promise<Buffer | null> {
    return this.#context.files.read(id, path)
  }
}
