import type { AccessControl, AccessGrant } from '#contract/access.ts'
import type { ModelChanges, ModelInput } from '#contract/models.ts'
import type { Access } from '../access/index.ts'
import type { Caller } from '../lib/http.ts'
import { nowSeconds } from '../lib/ids.ts'
import { nextVersionAt, requireKnown } from '../lib/known-version.ts'
import { nextTurn } from '../lib/turns.ts'
import type { OfferedModel } from '../providers/index.ts'
import type { Arena } from './arena.ts'
import { checkBase, checkId, idTaken } from './check-place.ts'
import type { ModelFinder } from './find-models.ts'
import type { ModelAccess } from './model-access.ts'
import { readChanges } from './read-input.ts'
import type { StoredModel } from './stored-model.ts'
import type { ModelWriter, StoredModels } from './stored-models.ts'

interface AccessInput {
  readonly access_grants?: AccessGrant[] | null
  readonly access_control?: AccessControl
}

/**
 * Throws 404 if a list of files and collections names an object that the user may not read and that
 * was not there before.
 */
export type CheckAttached = (userId: string, items: unknown, before: unknown) => Promise<void>

export interface WorkspaceDependencies {
  readonly stored: StoredModels
  readonly access: Access
  readonly modelAccess: ModelAccess
  readonly finder: ModelFinder
  /** The arena, whose ids no stored model may have. */
  readonly arena: Arena
  readonly checkAttached: CheckAttached
}

/** Creates, changes and removes single stored models. */
export class Workspace {
  readonly #deps: WorkspaceDependencies
  readonly #stored: StoredModels

  constructor(dependencies: WorkspaceDependencies) {
    this.#deps = dependencies
    this.#stored = dependencies.stored
  }

  async create(caller: Caller, input: ModelInput): Promise<StoredModel> {
    checkId(input.id)
    const model = toNew(caller, input)
    await checkBase(caller, model, this.#stored)
    await this.#deps.checkAttached(caller.userId, model.meta['knowledge'], [])
    const offered =
      model.base_model_id === null ? null : await this.#deps.finder.findOffered(model.id)
    return this.#save(caller, input, async (writer) => {
      // Connections may take time to respond, and the id may be taken meanwhile.
      if (offered || (await writer.get(model.id)) || this.#deps.arena.has(model.id)) throw idTaken()
      await checkBase(caller, model, writer)
      return model
    })
  }

  update(caller: Caller, id: string, changes: Omit<ModelChanges, 'id'>): Promise<StoredModel> {
    return this.#change(caller, id, ({ meta }) => readChanges(changes, meta), changes)
  }

  toggle(caller: Caller, id: string): Promise<StoredModel> {
    return this.#change(caller, id, (row) => ({ is_active: !row.is_active }))
  }

  updateAccess(
    caller: Caller,
    id: string,
    changes: AccessInput & { name?: string | null },
  ): Promise<StoredModel> {
    return this.#change(caller, id, () => (changes.name ? { name: changes.name } : {}), changes)
  }

  async remove(caller: Caller, id: string): Promise<void> {
    await this.#stored.change(async (writer) => {
      await this.#deps.modelAccess.requireWritable(caller, await writer.get(id))
      await writer.remove(id)
      await this.#deps.access.remove('model', id)
    })
  }

  async removeAll(): Promise<void> {
    await this.#stored.change(async (writer) => {
      for (const { id } of this.#stored.all()) {
        await writer.remove(id)
        await this.#deps.access.remove('model', id)
      }
    })
  }

  /** Stores the result of `make`, which is called within the transaction. */
  async #save(
    caller: Caller,
    rights: AccessInput,
    make: (writer: ModelWriter) => Promise<StoredModel>,
  ): Promise<StoredModel> {
    const made = await this.#stored.change(async (writer) => {
      const model = await make(writer)
      await writer.put(model)
      await this.#deps.access.replace(caller, { type: 'model', id: model.id }, rights)
      return model
    })
    // Its image may be long: storing it and sending it each take a separate turn of the event loop.
    await nextTurn()
    return made
  }

  async #change(
    caller: Caller,
    id: string,
    toChanges: (row: StoredModel) => Partial<StoredModel>,
    { known_at: knownAt, ...rights }: AccessInput & { known_at?: number | undefined } = {},
  ) {
    // Administrators can turn a model of a connection into a stored one.
    const offered =
      this.#stored.get(id) || caller.role !== 'admin'
        ? null
        : await this.#deps.finder.findOffered(id)
    return this.#save(caller, rights, async (writer) => {
      // Another call may have changed it while the connections were queried; from here on none can.
      const stored = await writer.get(id)
      const row = await this.#deps.modelAccess.requireWritable(
        caller,
        stored ?? (offered ? toUnchanged(caller, offered) : undefined),
      )
      const before = stored?.updated_at ?? 0
      requireKnown(before, knownAt)
      const next = { ...row, ...toChanges(row), updated_at: nextVersionAt(before) }
      await this.#deps.checkAttached(caller.userId, next.meta['knowledge'], row.meta['knowledge'])
      if (next.base_model_id !== row.base_model_id) await checkBase(caller, next, writer)
      return next
    })
  }
}

/** Returns a stored model as described by its input. */
export function toNew(caller: Caller, { id, ...input }: ModelInput): StoredModel {
  const now = nowSeconds()
  const empty = { base_model_id: null, meta: {}, params: {}, is_active: true }
  return {
    ...empty,
    id,
    user_id: caller.userId,
    name: input.name,
    created_at: now,
    updated_at: now,
    ...readChanges(input),
  }
}

/** Returns the initial stored data of a model of a connection, before any change. */
function toUnchanged(caller: Caller, { publicId, model }: OfferedModel): StoredModel {
  return toNew(caller, { id: publicId, name: model.name })
}
