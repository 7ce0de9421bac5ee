import { createStore, type StoreApi } from 'zustand/vanilla'
import type { CudaOffer, EngineState, FoundModelFolder, ModelDownload } from '#contract/engine.ts'
import { toApiError, toSentence } from '../../api/api-error.ts'
import { call, endpoints, toUrl } from '../../api/client.ts'
import { callHeaders } from '../../api/session-key.ts'

/** State of the built-in runtime; null until loaded. */
export interface LocalModelsState {
  readonly engine: EngineState | null
  readonly problem: string | null
}

export type LocalModelsStore = StoreApi<LocalModelsState>

export const createLocalModelsStore = (): LocalModelsStore =>
  createStore<LocalModelsState>(() => ({ engine: null, problem: null }))

export async function loadLocalModels(store: LocalModelsStore): Promise<void> {
  try {
    store.setState({ engine: await call(endpoints.engine.state, {}), problem: null })
  } catch (thrown) {
    store.setState({ problem: toSentence(thrown) })
  }
}

/** Returns the downloads of models and of the files for NVIDIA cards. */
export const allDownloads = ({
  engine,
}: Pick<LocalModelsState, 'engine'>): readonly ModelDownload[] =>
  engine ? [...engine.downloads, ...(engine.cuda?.downloads ?? [])] : []

/** True if the state changes by itself, so that polling is useful. */
export const isMoving = (state: LocalModelsState): boolean =>
  allDownloads(state).some(({ status }) => status === 'running')

export async function startDownload(store: LocalModelsStore, source: string): Promise<string> {
  const { name } = await call(endpoints.engine.download, { body: { source } })
  await loadLocalModels(store)
  return name
}

export async function changeDownload(
  store: LocalModelsStore,
  id: string,
  change: 'pause' | 'resume' | 'cancel',
): Promise<void> {
  await call(endpoints.engine[change], { params: { id } })
  await loadLocalModels(store)
}

/** Asks the registry for the sizes of the files for NVIDIA cards. */
export const readCudaOffer = (): Promise<CudaOffer> => call(endpoints.engine.cudaOffer, {})

export async function startCudaDownload(store: LocalModelsStore): Promise<void> {
  await call(endpoints.engine.cudaDownload, {})
  await loadLocalModels(store)
}

export async function removeCuda(store: LocalModelsStore): Promise<void> {
  await call(endpoints.engine.cudaRemove, {})
  await loadLocalModels(store)
}

export async function removeLocalModel(store: LocalModelsStore, name: string): Promise<void> {
  await call(endpoints.engine.remove, { params: { name } })
  await loadLocalModels(store)
}

/** Uploads a file as the raw body; the browser streams it from disk. */
export async function addModelFile(store: LocalModelsStore, file: File): Promise<void> {
  const { upload } = endpoints.engine
  const response = await fetch(toUrl(upload, { query: { filename: file.name } }), {
    method: upload.method,
    headers: { ...callHeaders(), 'Content-Type': 'application/octet-stream' },
    body: file,
  })
  if (!response.ok) throw await toApiError(response)
  await loadLocalModels(store)
}

/** Starts or stops using the models of a folder in place. */
export async function changeFolder(
  store: LocalModelsStore,
  folder: FoundModelFolder,
): Promise<void> {
  const used = (store.getState().engine?.folders ?? [])
    .filter(({ is_used: isUsed }) => isUsed)
    .map(({ path }) => path)
  const wanted = folder.is_used
    ? used.filter((path) => path !== folder.path)
    : [...used, folder.path]
  await call(endpoints.settings.update, { body: { values: { MODEL_FOLDERS: wanted } } })
  await loadLocalModels(store)
}
