import { createStore, type StoreApi } from 'zustand/vanilla'
import type { EndpointInput } from '#contract/endpoint.ts'
import type { ModelsConfig } from '#contract/model-defaults.ts'
import type { Model, ModelRow } from '#contract/models.ts'
import { ApiError, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { translate } from '../../lib/i18n.ts'
import { type KnownSaved, saveKnown } from '../../ui/dialogs/changed-elsewhere.tsx'
import { type ModelDraft, suggestFreeId, toDraft, toModelInput } from './model-draft.ts'

/** Ids tried for a new model before the refusal is shown. */
const MOST_TRIES = 8

/** All models that can be edited, as far as the signed-in user has access. */
export interface CatalogueState {
  /** Models created here, based on others. */
  readonly rows: readonly ModelRow[]
  /** Models of connections; administrators only. */
  readonly bases: readonly Model[]
  /** Local changes to models of connections. */
  readonly overrides: readonly ModelRow[]
  readonly config: ModelsConfig | null
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
}

export type CatalogueStore = StoreApi<CatalogueState>

export const createCatalogueStore = (): CatalogueStore =>
  createStore<CatalogueState>(() => ({
    rows: [],
    bases: [],
    overrides: [],
    config: null,
    status: 'loading',
    problem: null,
  }))

async function readRows(): Promise<readonly ModelRow[]> {
  const rows: ModelRow[] = []
  for (let page = 1; ; page += 1) {
    const { items, total } = await call(endpoints.models.workspace, {
      query: { order_by: 'name', page },
    })
    rows.push(...items)
    if (rows.length >= total || items.length === 0) return rows
  }
}

/** Number of local changes. */
const turns = new WeakMap<CatalogueStore, number>()
const noteChange = (store: CatalogueStore): void =>
  void turns.set(store, (turns.get(store) ?? 0) + 1)

/**
 * Reloads everything; the previous state remains meanwhile. Connections may be slow, so a result
 * loaded during a change is loaded again.
 */
export async function loadCatalogue(
  store: CatalogueStore,
  { admin }: { admin: boolean },
): Promise<void> {
  const turn = turns.get(store)
  try {
    const [rows, bases, overrides, config] = await Promise.all([
      readRows(),
      admin ? call(endpoints.models.base, {}).then(({ data }) => data) : [],
      admin ? call(endpoints.models.overrides, {}) : [],
      admin ? call(endpoints.models.config, {}) : null,
    ])
    if (turns.get(store) !== turn) return await loadCatalogue(store, { admin })
    store.setState({ rows, bases, overrides, config, status: 'ready', problem: null })
  } catch (thrown) {
    store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

const byName = (left: ModelRow, right: ModelRow): number => left.name.localeCompare(right.name)
const withRow = (rows: readonly ModelRow[], row: ModelRow): readonly ModelRow[] =>
  [...rows.filter(({ id }) => id !== row.id), row].toSorted(byName)

/** Inserts or updates a stored model in its list. */
export function putRow(store: CatalogueStore, row: ModelRow): void {
  noteChange(store)
  store.setState(({ rows, overrides }) =>
    row.base_model_id === null
      ? { overrides: withRow(overrides, row) }
      : { rows: withRow(rows, row) },
  )
}

/** Returns the stored row of an id, regardless of its kind. */
export const findRow = ({ rows, overrides }: CatalogueState, id: string): ModelRow | null =>
  [...rows, ...overrides].find((row) => row.id === id) ?? null

async function readNewest({ id, baseId }: ModelDraft): Promise<ModelRow> {
  const rows = baseId === null ? await call(endpoints.models.overrides, {}) : await readRows()
  const row = rows.find((each) => each.id === id)
  if (!row) throw new Error(translate('modelEditor.editor.gone'))
  return row
}

/** Updates the model stored or listed under the draft's id. */
const updateModel = (draft: ModelDraft): Promise<KnownSaved<ModelRow>> =>
  saveKnown<ModelRow>({
    known: draft.base,
    save: (base) =>
      call(endpoints.models.update, {
        query: { id: draft.id },
        body: { ...toModelInput(draft), known_at: base?.updated_at ?? 0 },
      }),
    readNewest: () => readNewest(draft),
    toForm: (row) => toModelInput(toDraft(row)),
    textOf: (row) => toDraft(row).system,
  })

/** Returns the ids of all models known to the signed-in user. */
export const idsOf = (
  { rows, bases, overrides }: CatalogueState,
  available: readonly Model[],
): ReadonlySet<string> =>
  new Set([...rows, ...bases, ...overrides, ...available].map(({ id }) => id))

interface SaveDraftOptions {
  readonly isNew: boolean
  /** Ids that are not suggested. */
  readonly taken: ReadonlySet<string>
}

/** True if the gateway refused an id because a model has it already. */
const isTaken = (thrown: unknown): boolean =>
  thrown instanceof ApiError && thrown.code === 'model_id_taken'

/**
 * Stores a form. Without a typed id, a new model gets a free one made of its name; the next one is
 * tried if a model has it that the user cannot see.
 */
export async function saveDraft(
  store: CatalogueStore,
  draft: ModelDraft,
  { isNew, taken }: SaveDraftOptions,
): Promise<KnownSaved<ModelRow>> {
  const saved = isNew
    ? { newest: await createModel(draft, taken), isMine: true }
    : await updateModel(draft)
  putRow(store, saved.newest)
  return saved
}

async function createModel(draft: ModelDraft, taken: ReadonlySet<string>): Promise<ModelRow> {
  const input = toModelInput(draft)
  if (draft.id.trim() !== '') return call(endpoints.models.create, { body: input })
  const tried = new Set(taken)
  for (;;) {
    const id = suggestFreeId(draft.name, tried)
    try {
      // oxlint-disable-next-line no-await-in-loop -- the next id depends on the answer
      return await call(endpoints.models.create, { body: { ...input, id } })
    } catch (thrown) {
      if (!isTaken(thrown) || tried.size > taken.size + MOST_TRIES) throw thrown
      tried.add(id)
    }
  }
}

/** Hides a model from lists, or shows it again. */
export async function toggleModel(store: CatalogueStore, id: string): Promise<void> {
  putRow(store, await call(endpoints.models.toggle, { query: { id } }))
}

/**
 * Deletes the stored row of an id; a model of a connection then reverts to the connection's values.
 */
export async function removeModel(store: CatalogueStore, row: ModelRow): Promise<void> {
  const drop = (rows: readonly ModelRow[]): readonly ModelRow[] =>
    rows.filter(({ id }) => id !== row.id)
  store.setState(({ rows, overrides }) => ({ rows: drop(rows), overrides: drop(overrides) }))
  try {
    await call(endpoints.models.remove, { query: { id: row.id }, body: { id: row.id } })
    noteChange(store)
  } catch (thrown) {
    putRow(store, row)
    throw thrown
  }
}

/** Restores a deleted model. */
export async function bringBackModel(store: CatalogueStore, row: ModelRow): Promise<ModelRow> {
  const made = await call(endpoints.models.create, { body: toInput(row) })
  putRow(store, made)
  return made
}

type Input = EndpointInput<typeof endpoints.models.create>['body']

/** Converts a stored row to a request that stores it. */
export const toInput = ({
  id,
  base_model_id,
  name,
  meta,
  params,
  access_grants,
  is_active,
}: ModelRow): Input => ({
  id,
  base_model_id,
  name,
  meta,
  params,
  access_grants,
  is_active,
})

/** Changes default, pinned and ordered models. */
export async function changeConfig(
  store: CatalogueStore,
  change: Partial<ModelsConfig>,
): Promise<void> {
  const config = await call(endpoints.models.updateConfig, { body: change })
  noteChange(store)
  store.setState({ config })
}

/** Returns the list with the id appended, or removed if it was present. */
export const toggleId = (ids: readonly string[], id: string): string[] =>
  ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]

/** Returns the ids with one moved up or down by one position. */
export function moveId(ids: readonly string[], id: string, step: 1 | -1): string[] {
  const from = ids.indexOf(id)
  const to = from + step
  if (from < 0 || to < 0 || to >= ids.length) return [...ids]
  const moved = ids.filter((each) => each !== id)
  moved.splice(to, 0, id)
  return moved
}
