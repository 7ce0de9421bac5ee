import { randomInt } from 'node:crypto'
import type { ArenaModel } from '#contract/evaluations.ts'
import type { Model } from '#contract/models.ts'
import type { Groups } from '../groups/index.ts'
import type { Caller } from '../lib/http.ts'
import type { ModelsSettings } from './models-settings.ts'
import type { KnownModel } from './catalogue.ts'

/** Entries that stand for a random model of several, for blind comparison. */
export interface Arena {
  /** Entries a caller sees beside the models the caller may use. */
  entries(caller: Caller, usable: readonly KnownModel[]): Model[]
  /** Whether an id is one of an arena, whoever asks. */
  has(id: string): boolean
  /** A random model behind an entry; null for unknown and forbidden entries alike. */
  pick(
    caller: Caller,
    id: string,
    usable: readonly KnownModel[],
  ): { entry: Model; picked: KnownModel } | null
}

/** The one entry there is until somebody sets up others. */
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
 * Models an arena chooses from: those that answer. The guide is no model to compare, unless it is
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

export function createArena({
  settings,
  groups,
}: {
  settings: ModelsSettings
  groups: Pick<Groups, 'idsOf'>
}): Arena {
  function all(): readonly ArenaModel[] {
    if (!settings.get('ENABLE_EVALUATION_ARENA_MODELS')) return []
    const own = settings.get('EVALUATION_ARENA_MODELS')
    return own.length > 0 ? own : [EVERY_MODEL]
  }

  function open(
    caller: Caller,
    arena: ArenaModel,
    usable: readonly KnownModel[],
  ): { entry: Model; from: KnownModel[] } | null {
    const from = mayUse(caller, arena.meta, groups.idsOf(caller.userId))
      ? contestants(arena, usable)
      : []
    return from.length === 0 ? null : { entry: toEntry(arena, from), from }
  }

  return {
    entries: (caller, usable) =>
      all()
        .filter(({ id }) => !usable.some((model) => model.id === id))
        .flatMap((arena) => open(caller, arena, usable)?.entry ?? []),
    has: (id) => all().some((arena) => arena.id === id),
    pick(caller, id, usable) {
      const arena = all().find((each) => each.id === id)
      const opened = arena ? open(caller, arena, usable) : null
      return opened && { entry: opened.entry, picked: opened.from[randomInt(opened.from.length)]! }
    },
  }
}
