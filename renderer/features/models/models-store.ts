import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Model } from '#contract/models.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { noteOwnPictures } from '../../api/model-picture.ts'
import { nameGuide } from './name-guide.ts'

export interface ModelsState {
  readonly models: readonly Model[]
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  /** Id of the model of the next message; the model may no longer exist. */
  readonly selectedId: string | null
  /** Additional models that answer the same message. */
  readonly otherIds: readonly string[]
  /**
   * Default models suggested by the administrator for users who have not chosen one, best first.
   */
  readonly defaultIds: readonly string[]
  /** Models pinned by an administrator for all users. */
  readonly pinnedIds: readonly string[]
  /** Models pinned by the user; null while the administrator's apply. */
  readonly ownPinnedIds: readonly string[] | null
  /** Default model of the user's new chats. */
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
 * Returns the selected model, otherwise the first available suggested one, otherwise the first
 * available; null if there is none.
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

/** Returns the models pinned to the top of the list. */
export const selectPinned = ({ ownPinnedIds, pinnedIds }: ModelsState): readonly string[] =>
  ownPinnedIds ?? pinnedIds

/** Returns the default model of a new chat, used unless another one was chosen last. */
export const selectDefaultId = ({ ownDefaultId, defaultIds }: ModelsState): string | null =>
  ownDefaultId ?? defaultIds[0] ?? null

export const isOwnDefault = ({ ownDefaultId }: ModelsState, id: string): boolean =>
  ownDefaultId === id

/** Applies the user's own marks. */
export const takeOwnMarks = (
  store: ModelsStore,
  own: { readonly pinnedIds: readonly string[] | null; readonly defaultId: string | null },
): void => store.setState({ ownPinnedIds: own.pinnedIds, ownDefaultId: own.defaultId })

/** Splits a comma-separated list of ids. */
export const splitIds = (list: unknown): string[] =>
  typeof list === 'string'
    ? list
        .split(',')
        .map((id) => id.trim())
        .filter(Boolean)
    : []

/** Applies the gateway's suggested models, a comma-separated list of ids. */
export const suggestModels = (store: ModelsStore, list: unknown): void =>
  store.setState({ defaultIds: splitIds(list) })

/** Applies the gateway's pinned models, a comma-separated list of ids. */
export const pinModels = (store: ModelsStore, list: unknown): void =>
  store.setState({ pinnedIds: splitIds(list) })

/**
 * Loads the list; `refresh` queries every connection again. The previous list remains while
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
    noteOwnPictures(data)
    store.setState({ models: nameGuide(data), status: 'ready', problem: null })
  } catch (thrown) {
    store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

/** Updates the texts about models to the language of the UI. */
export const renameModels = (store: ModelsStore): void =>
  store.setState(({ models }) => ({ models: nameGuide(models) }))

/** Selects a model for this and later chats. */
export function chooseModel(store: ModelsStore, id: string): void {
  localStorage.setItem(STORAGE_KEY, id)
  store.setState(({ otherIds }) => ({
    selectedId: id,
    otherIds: otherIds.filter((other) => other !== id),
  }))
}

/** Maximum number of models that answer one message. */
export const MOST_MODELS = 4

/** Adds a model that answers in addition to the chosen one. */
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
 * Returns the ids of the available additional models, separated by line breaks, so that the value
 * stays equal while nothing changes.
 */
export const selectOthers = ({ models, otherIds }: ModelsState): string =>
  otherIds.filter((id) => models.some((model) => model.id === id)).join('\n')

/** Selects the models used in an opened chat, without making them the choice for new chats. */
export const showModels = (store: ModelsStore, [id, ...others]: readonly string[]): void =>
  store.setState({
    selectedId: id ?? null,
    otherIds: others.filter((other) => other !== id).slice(0, MOST_MODELS - 1),
  })

/** Selects the model of a new chat: the user's default, otherwise the last one chosen. */
export const showPreferredModel = (store: ModelsStore): void =>
  store.setState(({ ownDefaultId, models }) => ({
    selectedId:
      models.length === 0 || models.some(({ id }) => id === ownDefaultId)
        ? (ownDefaultId ?? localStorage.getItem(STORAGE_KEY))
        : localStorage.getItem(STORAGE_KEY),
    otherIds: [],
  }))

const words = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** Returns the models whose name, id, connection or description contain every search term. */
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
  /** Name of the connection; null for pinned models, regardless of their connection. */
  readonly connection: string | null
  readonly models: readonly Model[]
}

/**
 * Groups the models: pinned ones, then the others by connection in the order of their first model.
 */
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
