import { flatMapInOrder } from '../lib/in-order.ts'
import { randomInt } from 'node:crypto'
import type { ArenaModel } from '#contract/evaluations.ts'
import type { Model } from '#contract/models.ts'
import type { Groups } from '../groups/index.ts'
import type { Caller } from '../lib/http.ts'
import type { KnownModel } from './catalogue.ts'
import type { ModelsSettings } from './models-settings.ts'

/** The entry used until an administrator configures others. */
const EVERY_MODEL: ArenaModel = {
  id: 'arena-model',
  name: 'Arena',
  meta: { description: 'Asks a random model and does not say which.' },
}

function mayUse(
  caller: Caller,
  { access_grants, access_control }: ArenaModel['meta'],
  groupIds: ReadonlySet<string>,
): boolean {
  if (caller.role === 'admin' || (!access_grants && !access_control)) return true
  const isUser = (id: string): boolean => id === '*' || id === caller.userId
  if (access_grants) {
    return access_grants.some(
      ({ principal_type: type, principal_id: id }) =>
        id === '*' || (type === 'user' ? isUser(id) : groupIds.has(id)),
    )
  }
  const { user_ids = [], group_ids = [] } = access_control?.read ?? {}
  return user_ids.some(isUser) || group_ids.some((id) => groupIds.has(id))
}

/**
 * Returns the models an arena chooses from: the available ones. The guide takes part only if it is
 * named.
 */
function contestants({ meta }: ArenaModel, known: readonly KnownModel[]): KnownModel[] {
  const usable = known.filter(({ offered }) => !offered.isUnavailable)
  const named = new Set(meta.model_ids ?? [])
  if (named.size > 0 && meta.filter_mode !== 'exclude')
    return usable.filter(({ id }) => named.has(id))
  return usable.filter(({ id, offered }) => offered.provider.kind !== 'guide' && !named.has(id))
}

function toEntry({ id, name, meta }: ArenaModel, chosenFrom: readonly KnownModel[]): Model {
  const {
    access_grants: _grants,
    access_control: _control,
    model_ids: _ids,
    filter_mode: _mode,
    description,
    ...shown
  } = meta
  return {
    id,
    name,
    object: 'model',
    created: 0,
    owned_by: 'arena',
    connection_type: chosenFrom.every(({ resolved }) => resolved.entry.connection_type === 'local')
      ? 'local'
      : 'external',
    connection_name: 'Arena',
    tags: [],
    arena: true,
    info: { meta: { ...shown, ...(description && { description }) } },
    actions: [],
    filters: [],
  }
}

/** Entries that represent a random one of several models, for blind comparison. */
export class Arena {
  readonly #settings: ModelsSettings
  readonly #groups: Groups

  constructor({ settings, groups }: { settings: ModelsSettings; groups: Groups }) {
    this.#settings = settings
    this.#groups = groups
  }

  /** Returns the entries a caller sees besides the models they may use. */
  entries(caller: Caller, usable: readonly KnownModel[]): Promise<Model[]> {
    return flatMapInOrder(
      this.#all().filter(({ id }) => !usable.some((model) => model.id === id)),
      async (arena) => (await this.#open(caller, arena, usable))?.entry ?? [],
    )
  }

  /** Reports whether an id belongs to an arena, regardless of the caller. */
  has(id: string): boolean {
    return this.#all().some((arena) => arena.id === id)
  }

  /** Returns a random model of an entry; null for unknown and forbidden entries alike. */
  async pick(
    caller: Caller,
    id: string,
    usable: readonly KnownModel[],
  ): Promise<{ entry: Model; picked: KnownModel } | null> {
    const arena = this.#all().find((each) => each.id === id)
    const opened = arena ? await this.#open(caller, arena, usable) : null
    return opened && { entry: opened.entry, picked: opened.from[randomInt(opened.from.length)]! }
  }

  #all(): readonly ArenaModel[] {
    if (!this.#settings.get('ENABLE_EVALUATION_ARENA_MODELS')) return []
    const own = this.#settings.get('EVALUATION_ARENA_MODELS')
    return own.length > 0 ? own : [EVERY_MODEL]
  }

  async #open(
    caller: Caller,
    arena: ArenaModel,
    usable: readonly KnownModel[],
  ): Promise<{ entry: Model; from: KnownModel[] } | null> {
    const from = mayUse(caller, arena.meta, await this.#groups.idsOf(caller.userId))
      ? contestants(arena, usable)
      : []
    return from.length === 0 ? null : { entry: toEntry(arena, from), from }
  }
}
