import { createStore, type StoreApi } from 'zustand/vanilla'
import type { EngineStateReply } from '#contract/retrieval-engine.ts'
import type { Setting, SettingValue } from '#contract/settings.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

export interface DocumentsState {
  readonly settings: readonly Setting[] | null
  readonly engine: EngineStateReply | null
  readonly problem: string | null
}

/** All settings, and the engine that embeds documents. */
export type DocumentsStore = StoreApi<DocumentsState>

export const createDocumentsStore = (): DocumentsStore =>
  createStore<DocumentsState>(() => ({ settings: null, engine: null, problem: null }))

/** Loads the state of the engine; on failure the previous one is kept. */
export async function loadEngine(store: DocumentsStore): Promise<void> {
  try {
    store.setState({ engine: await call(endpoints.retrieval.engine, {}) })
  } catch (thrown) {
    if (store.getState().engine === null) store.setState({ problem: toSentence(thrown) })
  }
}

export async function loadDocuments(store: DocumentsStore): Promise<void> {
  store.setState({ problem: null })
  try {
    store.setState({ settings: await call(endpoints.settings.list, {}) })
    await loadEngine(store)
  } catch (thrown) {
    store.setState({ problem: toSentence(thrown) })
  }
}

export async function saveSettings(
  store: DocumentsStore,
  values: Readonly<Record<string, SettingValue>>,
): Promise<void> {
  store.setState({
    settings: await call(endpoints.settings.update, { body: { values: { ...values } } }),
  })
  await loadEngine(store)
}

/** Returns the text of a setting; empty for secrets. */
export function textOf(settings: readonly Setting[], key: string): string {
  const value = settings.find((setting) => setting.key === key)?.value
  return typeof value === 'string' ? value : ''
}
