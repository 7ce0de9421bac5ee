import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Model } from '#contract/models.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { nameGuide } from './name-guide.ts'

export interface ModelsState {
  readonly models: readonly Model[]
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  /** The model for the next message; may be one that is gone now. */
  readonly selectedId: string | null
  /** Further models that answer the same message beside it. */
  readonly otherIds: readonly string[]
  /** What the gateway's administrator suggests to whoever has not chosen yet, best first. */
  readonly defaultIds: readonly string[]
  /** What an administrator put in front of every list. */
  readonly pinnedIds: readonly string[]
  /** What the person pinned; null while they follow the administrator. */
  readonly ownPinnedIds: readonly string[] | null
  /** The model the person begins new chats with. */
  readonly ownDefaultId: string | null
}

export type ModelsStore = StoreApi<ModelsState>

const STORAGE_KEY = 'model'

export const createModelsStore = (): ModelsStore =>
  createStore<ModelsState>(() => ({
    models: [],
    status: 'loading',
    problem: null,
    selectedId: localStorage.getItem(STORAGE_KEY),
    otherIds: [],
    defaultIds: [],
    pinnedIds: [],
    ownPinnedIds: null,
    ownDefaultId: null,
  }))

/**
 * The selected model, else the first suggested one that answers, else the first that does; null
 * while there is none.
 */
export function selectModelInUse({ models, selectedId, defaultIds }: ModelsState): Model | null {
  const find = (id: string | null) => models.find((model) => model.id === id)
  const answers = (model: Model | undefined): boolean =>
    model !== undefined && model.unavailable !== true
  return (
    find(selectedId) ??
    defaultIds.map(find).find(answers) ??
    models.find(answers) ??
    models[0] ??
    null
  )
}

/** What stands in front of the list. */
export const selectPinned = ({ ownPinnedIds, pinnedIds }: ModelsState): readonly string[] =>
  ownPinnedIds ?? pinnedIds

/** The model a new chat begins with unless another was chosen last. */
export const selectDefaultId = ({ ownDefaultId, defaultIds }: ModelsState): string | null =>
  ownDefaultId ?? defaultIds[0] ?? null

export const isOwnDefault = ({ ownDefaultId }: ModelsState, id: string): boolean =>
  ownDefaultId === id

/** Takes what the person has noted about models. */
export const takeOwnMarks = (
  store: ModelsStore,
  own: { readonly pinnedIds: readonly string[] | null; readonly defaultId: string | null },
): void => store.setState({ ownPinnedIds: own.pinnedIds, ownDefaultId: own.defaultId })

/** The ids of a comma-separated list. */
export const splitIds = (list: unknown): string[] =>
  typeof list === 'string'
    ? list
        .split(',')
        .map((id) => id.trim())
        .filter(Boolean)
    : []

/** Takes the suggestion of the gateway, a comma-separated list of ids. */
export const suggestModels = (store: ModelsStore, list: unknown): void =>
  store.setState({ defaultIds: splitIds(list) })

/** Takes what the gateway puts in front, a comma-separated list of ids. */
export const pinModels = (store: ModelsStore, list: unknown): void =>
  store.setState({ pinnedIds: splitIds(list) })

/**
 * Fetches the list; `refresh` asks every connection again. A list that is already shown stays while
 * loading.
 */
export async function loadModels(
  store: ModelsStore,
  options: { refresh?: boolean } = {},
): Promise<void> {
  try {
    const { data } = await call(endpoints.models.list, {
      query: { refresh: options.refresh || undefined },
    })
    store.setState({ models: nameGuide(data), status: 'ready', problem: null })
  } catch (thrown) {
    store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

/** Says again what is said of models in the language of the interface. */
export const renameModels = (store: ModelsStore): void =>
  store.setState(({ models }) => ({ models: nameGuide(models) }))

/** Chooses a model for this and the next chats. */
export function chooseModel(store: ModelsStore, id: string): void {
  localStorage.setItem(STORAGE_KEY, id)
  store.setState(({ otherIds }) => ({
    selectedId: id,
    otherIds: otherIds.filter((other) => other !== id),
  }))
}

/** How many models may answer one message. */
export const MOST_MODELS = 4

/** Lets another model answer beside the chosen one. */
export function addModel(store: ModelsStore, id: string): void {
  const { otherIds } = store.getState()
  if (
    id === selectModelInUse(store.getState())?.id ||
    otherIds.includes(id) ||
    otherIds.length >= MOST_MODELS - 1
  )
    return
  store.setState({ otherIds: [...otherIds, id] })
}

export const removeModel = (store: ModelsStore, id: string): void =>
  store.setState(({ otherIds }) => ({ otherIds: otherIds.filter((other) => other !== id) }))

/**
 * Those of the further models that are there, as names of ids apart by line breaks, so that it
 * stays equal while nothing changes.
 */
export const selectOthers = ({ models, otherIds }: ModelsState): string =>
  otherIds.filter((id) => models.some((model) => model.id === id)).join('\n')

/** Shows the models an opened chat was held with, without making them the choice for new chats. */
export const showModels = (store: ModelsStore, [id, ...others]: readonly string[]): void =>
  store.setState({
    selectedId: id ?? null,
    otherIds: others.filter((other) => other !== id).slice(0, MOST_MODELS - 1),
  })

/** The choice for a new chat: the model the person always begins with, else the last one chosen. */
export const showPreferredModel = (store: ModelsStore): void =>
  store.setState(({ ownDefaultId, models }) => ({
    selectedId:
      models.length === 0 || models.some(({ id }) => id === ownDefaultId)
        ? (ownDefaultId ?? localStorage.getItem(STORAGE_KEY))
        : localStorage.getItem(STORAGE_KEY),
    otherIds: [],
  }))

const words = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** Models whose name, id, connection or description hold every word. */
export function filterModels(models: readonly Model[], query: string): readonly Model[] {
  const wanted = words(query)
  if (wanted.length === 0) return models
  return models.filter((model) => {
    const text =
      `${model.name} ${model.id} ${model.connection_name} ${model.info.meta.description ?? ''}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

interface ModelGroup {
  /** Null for pinned models, whatever they come from. */
  readonly connection: string | null
  readonly models: readonly Model[]
}

/** Pinned models, then the others by connection in the order of their first model. */
export function groupModels(
  models: readonly Model[],
  pinnedIds: readonly string[],
): readonly ModelGroup[] {
  const groups = Map.groupBy(models, ({ id, connection_name }) =>
    pinnedIds.includes(id) ? null : connection_name,
  )
  return [...groups]
    .map(([connection, rows]) => ({ connection, models: rows }))
    .toSorted((left, right) => Number(right.connection === null) - Number(left.connection === null))
}
