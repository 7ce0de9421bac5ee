import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Model } from '#contract/models.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

export interface ModelsState {
  readonly models: readonly Model[]
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  /** The model for the next message; may be one that is gone now. */
  readonly selectedId: string | null
  /** What the gateway's administrator suggests to whoever has not chosen yet, best first. */
  readonly defaultIds: readonly string[]
}

export type ModelsStore = StoreApi<ModelsState>

const STORAGE_KEY = 'model'

export const createModelsStore = (): ModelsStore =>
  createStore<ModelsState>(() => ({
    models: [],
    status: 'loading',
    problem: null,
    selectedId: localStorage.getItem(STORAGE_KEY),
    defaultIds: [],
  }))

/** The selected model, else the first suggested one that is there, else the first; null while there is none. */
export function selectModelInUse({ models, selectedId, defaultIds }: ModelsState): Model | null {
  const find = (id: string | null) => models.find((model) => model.id === id)
  return find(selectedId) ?? defaultIds.map(find).find((model) => model !== undefined) ?? models[0] ?? null
}

/** Takes the suggestion of the gateway, a comma-separated list of ids. */
export const suggestModels = (store: ModelsStore, list: unknown): void =>
  store.setState({
    defaultIds:
      typeof list === 'string'
        ? list
            .split(',')
            .map((id) => id.trim())
            .filter(Boolean)
        : [],
  })

/** Fetches the list; `refresh` asks every connection again. A list that is already shown stays while loading. */
export async function loadModels(store: ModelsStore, options: { refresh?: boolean } = {}): Promise<void> {
  try {
    const { data } = await call(endpoints.models.list, { query: { refresh: options.refresh || undefined } })
    store.setState({ models: data, status: 'ready', problem: null })
  } catch (thrown) {
    store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

/** Chooses a model for this and the next chats. */
export function chooseModel(store: ModelsStore, id: string): void {
  localStorage.setItem(STORAGE_KEY, id)
  store.setState({ selectedId: id })
}

/** Shows the model an opened chat was held with, without making it the choice for new chats. */
export const showModel = (store: ModelsStore, id: string): void => store.setState({ selectedId: id })

/** The choice for a new chat. */
export const showPreferredModel = (store: ModelsStore): void => store.setState({ selectedId: localStorage.getItem(STORAGE_KEY) })

const words = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** Models whose name, id, connection or description hold every word. */
export function filterModels(models: readonly Model[], query: string): readonly Model[] {
  const wanted = words(query)
  if (wanted.length === 0) return models
  return models.filter((model) => {
    const text = `${model.name} ${model.id} ${model.connection_name} ${model.info.meta.description ?? ''}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

/** Groups in the order of their first model. */
export function groupByConnection(models: readonly Model[]): ReadonlyMap<string, readonly Model[]> {
  return Map.groupBy(models, (model) => model.connection_name)
}
