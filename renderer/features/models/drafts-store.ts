import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ModelDraft } from './model-draft.ts'

/** Unsaved forms by model id; empty id for a new one. Kept until the window is closed. */
export type DraftsStore = StoreApi<Readonly<Record<string, ModelDraft>>>

export const createDraftsStore = (): DraftsStore =>
  createStore<Readonly<Record<string, ModelDraft>>>(() => ({}))

export const keepModelDraft = (store: DraftsStore, key: string, draft: ModelDraft): void =>
  store.setState({ ...store.getState(), [key]: draft }, true)

/**
 * Returns the draft of a model, whose id may equal a built-in property name such as `constructor`.
 */
export const findModelDraft = (
  state: Readonly<Record<string, ModelDraft>>,
  key: string,
): ModelDraft | undefined => (Object.hasOwn(state, key) ? state[key] : undefined)

export function dropModelDraft(store: DraftsStore, key: string): void {
  const { [key]: _dropped, ...others } = store.getState()
  store.setState(others, true)
}

/**
 * Removes the draft a model was saved from. Changes typed during saving remain a draft of the
 * model.
 */
export function settleModelDraft(
  store: DraftsStore,
  key: string,
  saved: ModelDraft,
  id: string,
): void {
  const shown = findModelDraft(store.getState(), key)
  dropModelDraft(store, key)
  if (shown !== undefined && shown !== saved) keepModelDraft(store, id, { ...shown, id })
}
