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

/** Names a prompt: by its id, or by its command with or without the slash. */
type PromptKey = { readonly id: string } | { readonly command: string }

/**
 * The prompt library, on the tables of `0008-prompts-memories-notes`. Texts hold variables that the
 * interface fills in. 404 for what the caller may not read, 403 for what they may only read.
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

  /** Everything the caller may use, by command. */
  list(caller: Caller): Iterable<Prompt> {
    return listPrompts(this.#context, caller)
  }

  page(caller: Caller, query: PromptListQuery): { items: Iterable<Prompt>; total: number } {
    return pagePrompts(this.#context, caller, query)
  }

  tags(caller: Caller): string[] {
    return listTags(this.#context, caller)
  }

  get(caller: Caller, key: PromptKey): Prompt {
    return toPrompt(this.#context, caller, this.#find(caller, key, 'read'))
  }

  /** 400 when the command is taken. */
  create(caller: Caller, input: PromptInput): Prompt {
    return this.#read(caller, createPrompt(this.#context, caller, input))
  }

  /** Keeps the new text as a version; with `is_production` it is put to use. */
  update(caller: Caller, key: PromptKey, changes: PromptUpdate): Prompt {
    const row = this.#find(caller, key, 'write')
    updatePrompt(this.#context, caller, { row, changes })
    return this.#read(caller, row.id)
  }

  updateMeta(
    caller: Caller,
    id: string,
    changes: Pick<PromptUpdate, 'command' | 'name' | 'title' | 'tags'>,
  ): Prompt {
    updatePromptMeta(this.#context, this.#writable(caller, id), changes)
    return this.#read(caller, id)
  }

  updateAccess(
    caller: Caller,
    id: string,
    grants: Pick<PromptUpdate, 'access_grants' | 'access_control'>,
  ): Prompt {
    this.#context.access.replace(
      caller,
      { type: 'prompt', id: this.#writable(caller, id).id },
      grants,
    )
    return this.#read(caller, id)
  }

  useVersion(caller: Caller, id: string, versionId: string): Prompt {
    useVersion(this.#context, this.#writable(caller, id), versionId)
    return this.#read(caller, id)
  }

  toggle(caller: Caller, id: string): Prompt {
    this.#context.store.update(id, { is_active: 1 - this.#writable(caller, id).is_active })
    return this.#read(caller, id)
  }

  remove(caller: Caller, key: PromptKey): void {
    const { id } = this.#find(caller, key, 'write')
    const { storage, store, access } = this.#context
    storage.transaction(() => {
      store.remove(id)
      access.remove('prompt', id)
    })
  }

  history(caller: Caller, id: string, page?: number): PromptVersion[] {
    return listVersions(this.#context, this.#readable(caller, id), page)
  }

  version(caller: Caller, id: string, versionId: string): PromptVersion {
    return getVersion(this.#context, this.#readable(caller, id), versionId)
  }

  compare(caller: Caller, id: string, ids: { from_id: string; to_id: string }): PromptDiff {
    return compareVersions(this.#context, this.#readable(caller, id), ids)
  }

  /** 400 for the version in use. */
  removeVersion(caller: Caller, id: string, versionId: string): void {
    removeVersion(this.#context, this.#writable(caller, id), versionId)
  }

  #find(caller: Caller, key: PromptKey, permission: 'read' | 'write'): PromptRow {
    const { store } = this.#context
    const row = 'id' in key ? store.get(key.id) : store.findByCommand(key.command)
    return requireAllowed(this.#context, caller, { row, permission })
  }

  #readable(caller: Caller, id: string): PromptRow {
    return this.#find(caller, { id }, 'read')
  }

  #writable(caller: Caller, id: string): PromptRow {
    return this.#find(caller, { id }, 'write')
  }

  #read(caller: Caller, id: string): Prompt {
    return toPrompt(this.#context, caller, this.#readable(caller, id))
  }
}
