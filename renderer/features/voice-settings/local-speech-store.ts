import { createStore, type StoreApi } from 'zustand/vanilla'
import type { LocalSpeech } from '#contract/audio.ts'
import { toApiError, toSentence } from '../../api/api-error.ts'
import { call, endpoints, toUrl } from '../../api/client.ts'
import { callHeaders } from '../../api/session-key.ts'

/** The speech models of the gateway's computer; null until loaded. */
export interface LocalSpeechState {
  readonly speech: LocalSpeech | null
  readonly problem: string | null
}

export type LocalSpeechStore = StoreApi<LocalSpeechState>

export const createLocalSpeechStore = (): LocalSpeechStore =>
  createStore<LocalSpeechState>(() => ({ speech: null, problem: null }))

export async function loadLocalSpeech(store: LocalSpeechStore): Promise<void> {
  try {
    store.setState({ speech: await call(endpoints.audio.localState, {}), problem: null })
  } catch (thrown) {
    store.setState({ problem: toSentence(thrown) })
  }
}

/** Reports whether a download is running, so that polling is worthwhile. */
export const isMoving = ({ speech }: LocalSpeechState): boolean =>
  speech?.downloads.some(({ status }) => status === 'running') ?? false

export async function downloadSpeechModel(store: LocalSpeechStore, name: string): Promise<void> {
  await call(endpoints.audio.localDownload, { body: { name } })
  await loadLocalSpeech(store)
}

const CHANGES = {
  pause: endpoints.audio.localPause,
  resume: endpoints.audio.localResume,
  cancel: endpoints.audio.localCancel,
} as const

export async function changeSpeechDownload(
  store: LocalSpeechStore,
  id: string,
  change: keyof typeof CHANGES,
): Promise<void> {
  await call(CHANGES[change], { params: { id } })
  await loadLocalSpeech(store)
}

export async function chooseSpeechModel(store: LocalSpeechStore, name: string): Promise<void> {
  await call(endpoints.audio.localUse, { params: { name } })
  await loadLocalSpeech(store)
}

export async function removeSpeechModel(store: LocalSpeechStore, name: string): Promise<void> {
  await call(endpoints.audio.localRemove, { params: { name } })
  await loadLocalSpeech(store)
}

/** Uploads a file unchanged; the browser streams it from the disk. */
export async function addSpeechModel(store: LocalSpeechStore, file: File): Promise<void> {
  const { localUpload } = endpoints.audio
  const response = await fetch(toUrl(localUpload, { query: { filename: file.name } }), {
    method: localUpload.method,
    headers: { ...callHeaders(), 'Content-Type': 'application/octet-stream' },
    body: file,
  })
  if (!response.ok) throw await toApiError(response)
  await loadLocalSpeech(store)
}
