import type {
  Prompt,
  PromptDiff,
  PromptInput,
  PromptListQuery,
  PromptUpdate,
  PromptVersion,
} from '#contract/prompts.ts'
import type { Access } from '../access/index.ts'
import type { Caller, Route } from '../lib/http.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import { createPrompt, updatePrompt, updatePromptMeta, useVersion } from './change-prompt.ts'
import { listPrompts, listTags, pagePrompts } from './list-prompts.ts'
import { requireAllowed, toPrompt, type PromptContext } from './prompt-context.ts'
import { createPromptRoutes } from './routes.ts'
import { createPromptStore, createVersionStore, type PromptRow } from './store.ts'
import { compareVersions, getVersion, listVersions, removeVersion } from './versions.ts'

/** Names a prompt: by its id, or by its command with or without the slash. */
export type PromptKey = { readonly id: string } | { readonly command: string }

/**
 * The prompt library (reference §10.2). Texts hold variables that the interface fills in. 404 for
 * what the caller may not read, 403 for what they may only read.
 */
export interface Prompts {
  /** Everything the caller may use, by command. */
  list(caller: Caller): Iterable<Prompt>
  page(caller: Caller, query: PromptListQuery): { items: Iterable<Prompt>; total: number }
  tags(caller: Caller): string[]
  get(caller: Caller, key: PromptKey): Prompt
  /** 400 when the command is taken. */
  create(caller: Caller, input: PromptInput): Prompt
  /** Keeps the new text as a version; with `is_production` it is put to use. */
  update(caller: Caller, key: PromptKey, changes: PromptUpdate): Prompt
  updateMeta(
    caller: Caller,
    id: string,
    changes: Pick<PromptUpdate, 'command' | 'name' | 'title' | 'tags'>,
  ): Prompt
  updateAccess(
    caller: Caller,
    id: string,
    grants: Pick<PromptUpdate, 'access_grants' | 'access_control'>,
  ): Prompt
  useVersion(caller: Caller, id: string, versionId: string): Prompt
  toggle(caller: Caller, id: string): Prompt
  remove(caller: Caller, key: PromptKey): void
  history(caller: Caller, id: string, page?: number): PromptVersion[]
  version(caller: Caller, id: string, versionId: string): PromptVersion
  compare(caller: Caller, id: string, ids: { from_id: string; to_id: string }): PromptDiff
  /** 400 for the version in use. */
  removeVersion(caller: Caller, id: string, versionId: string): void
  readonly routes: readonly Route[]
}

/** What the domain is built from. */
export interface PromptsDependencies {
  readonly storage: Storage
  readonly access: Access
  readonly users: Pick<Users, 'get'>
}

/** Builds the domain on the tables of `0008-prompts-memories-notes`. */
export function createPrompts({ storage, access, users }: PromptsDependencies): Prompts {
  const store = createPromptStore(storage)
  const context: PromptContext = {
    storage,
    store,
    versions: createVersionStore(storage),
    access,
    users,
  }

  function find(caller: Caller, key: PromptKey, permission: 'read' | 'write'): PromptRow {
    const row = 'id' in key ? store.get(key.id) : store.findByCommand(key.command)
    return requireAllowed(context, caller, { row, permission })
  }
  const readable = (caller: Caller, id: string): PromptRow => find(caller, { id }, 'read')
  const writable = (caller: Caller, id: string): PromptRow => find(caller, { id }, 'write')
  const read = (caller: Caller, id: string): Prompt =>
    toPrompt(context, caller, readable(caller, id))

  const prompts: Omit<Prompts, 'routes'> = {
    list: (caller) => listPrompts(context, caller),
    page: (caller, query) => pagePrompts(context, caller, query),
    tags: (caller) => listTags(context, caller),
    get: (caller, key) => toPrompt(context, caller, find(caller, key, 'read')),
    create: (caller, input) => read(caller, createPrompt(context, caller, input)),
    update(caller, key, changes) {
      const row = find(caller, key, 'write')
      updatePrompt(context, caller, { row, changes })
      return read(caller, row.id)
    },
    updateMeta(caller, id, changes) {
      updatePromptMeta(context, writable(caller, id), changes)
      return read(caller, id)
    },
    updateAccess(caller, id, grants) {
      access.replace(caller, { type: 'prompt', id: writable(caller, id).id }, grants)
      return read(caller, id)
    },
    useVersion(caller, id, versionId) {
      useVersion(context, writable(caller, id), versionId)
      return read(caller, id)
    },
    toggle(caller, id) {
      store.update(id, { is_active: 1 - writable(caller, id).is_active })
      return read(caller, id)
    },
    remove(caller, key) {
      const { id } = find(caller, key, 'write')
      storage.transaction(() => {
        store.remove(id)
        access.remove('prompt', id)
      })
    },
    history: (caller, id, page) => listVersions(context, readable(caller, id), page),
    version: (caller, id, versionId) => getVersion(context, readable(caller, id), versionId),
    compare: (caller, id, ids) => compareVersions(context, readable(caller, id), ids),
    removeVersion: (caller, id, versionId) =>
      removeVersion(context, writable(caller, id), versionId),
  }
  return { ...prompts, routes: createPromptRoutes(prompts) }
}
