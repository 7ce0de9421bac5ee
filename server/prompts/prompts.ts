import type {
  Prompt,
  PromptDiff,
  PromptInput,
  PromptListQuery,
  PromptUpdate,
  PromptVersion,
} from '#contract/prompts.ts'
import type { Caller } from '../lib/http.ts'
import { createPrompt, updatePrompt, updatePromptMeta, useVersion } from './change-prompt.ts'
import { listPrompts, listTags, pagePrompts } from './list-prompts.ts'
import { requireAllowed, toPrompt, type PromptContext } from './prompt-context.ts'
import { PromptStore, VersionStore, type PromptRow } from './store.ts'
import { compareVersions, getVersion, listVersions, removeVersion } from './versions.ts'

/** Key of a prompt: its id, or its command with or without the slash. */
type PromptKey = { readonly id: string } | { readonly command: string }

/**
 * The prompt library, on the tables of `0008-prompts-memories-notes`. Texts contain variables that
 * the UI fills in. Throws 404 for prompts the caller may not read, 403 for those they may only
 * read.
 */
export class Prompts {
  readonly #context: PromptContext

  constructor(deps: Pick<PromptContext, 'storage' | 'access' | 'users'>) {
    const { storage } = deps
    this.#context = {
      ...deps,
      store: new PromptStore(storage),
      versions: new VersionStore(storage),
    }
  }

  /** Yields all prompts the caller may use, by command. */
  list(caller: Caller): AsyncIterable<Prompt> {
    return listPrompts(this.#context, caller)
  }

  page(
    caller: Caller,
    query: PromptListQuery,
  ): Promise<{ items: AsyncIterable<Prompt>; total: number }> {
    return pagePrompts(this.#context, caller, query)
  }

  tags(caller: Caller): Promise<string[]> {
    return listTags(this.#context, caller)
  }

  async get(caller: Caller, key: PromptKey): Promise<Prompt> {
    return toPrompt(this.#context, caller, await this.#find(caller, key, 'read'))
  }

  /** True if any user's prompt has a command, with or without the slash. */
  async isTaken(command: string): Promise<boolean> {
    return (await this.#context.store.findByCommand(command)) !== null
  }

  /** Throws 400 if the command is taken. */
  async create(caller: Caller, input: PromptInput): Promise<Prompt> {
    return this.#read(caller, await createPrompt(this.#context, caller, input))
  }

  /** Stores the new text as a version; `is_production` makes it current. */
  async update(caller: Caller, key: PromptKey, changes: PromptUpdate): Promise<Prompt> {
    const row = await this.#find(caller, key, 'write')
    await updatePrompt(this.#context, caller, { row, changes })
    return this.#read(caller, row.id)
  }

  async updateMeta(
    caller: Caller,
    id: string,
    changes: Pick<PromptUpdate, 'command' | 'name' | 'title' | 'tags'>,
  ): Promise<Prompt> {
    await updatePromptMeta(this.#context, await this.#writable(caller, id), changes)
    return this.#read(caller, id)
  }

  async updateAccess(
    caller: Caller,
    id: string,
    grants: Pick<PromptUpdate, 'access_grants' | 'access_control'>,
  ): Promise<Prompt> {
    await this.#context.access.replace(
      caller,
      { type: 'prompt', id: (await this.#writable(caller, id)).id },
      grants,
    )
    return this.#read(caller, id)
  }

  async useVersion(caller: Caller, id: string, versionId: string): Promise<Prompt> {
    await useVersion(this.#context, await this.#writable(caller, id), versionId)
    return this.#read(caller, id)
  }

  async toggle(caller: Caller, id: string): Promise<Prompt> {
    const { storage, store } = this.#context
    await storage.transaction(async () =>
      store.update(id, { is_active: 1 - (await this.#writable(caller, id)).is_active }),
    )
    return this.#read(caller, id)
  }

  async remove(caller: Caller, key: PromptKey): Promise<void> {
    const { id } = await this.#find(caller, key, 'write')
    const { storage, store, access } = this.#context
    await storage.transaction(async () => {
      await store.remove(id)
      await access.remove('prompt', id)
    })
  }

  async history(caller: Caller, id: string, page?: number): Promise<AsyncIterable<PromptVersion>> {
    return listVersions(this.#context, await this.#readable(caller, id), page)
  }

  async version(caller: Caller, id: string, versionId: string): Promise<PromptVersion> {
    return getVersion(this.#context, await this.#readable(caller, id), versionId)
  }

  async compare(
    caller: Caller,
    id: string,
    ids: { from_id: string; to_id: string },
  ): Promise<PromptDiff> {
    return compareVersions(this.#context, await this.#readable(caller, id), ids)
  }

  /** Throws 400 for the current version. */
  async removeVersion(caller: Caller, id: string, versionId: string): Promise<void> {
    await removeVersion(this.#context, await this.#writable(caller, id), versionId)
  }

  async #find(caller: Caller, key: PromptKey, permission: 'read' | 'write'): Promise<PromptRow> {
    const { store } = this.#context
    const row = 'id' in key ? await store.get(key.id) : await store.findByCommand(key.command)
    return requireAllowed(this.#context, caller, { row, permission })
  }

  #readable(caller: Caller, id: string): Promise<PromptRow> {
    return this.#find(caller, { id }, 'read')
  }

  #writable(caller: Caller, id: string): Promise<PromptRow> {
    return this.#find(caller, { id }, 'write')
  }

  async #read(caller: Caller, id: string): Promise<Prompt> {
    return toPrompt(this.#context, caller, await this.#readable(caller, id))
  }
}
