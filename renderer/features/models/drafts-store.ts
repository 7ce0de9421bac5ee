import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ModelDraft } from './model-draft.ts'

/**
 * Forms that were changed and not saved, by the id of their model; empty for a new one. They last
 * as long as the window.
 */
export type DraftsStore = StoreApi<Readonly<Record<string, ModelDraft>>>

export const createDraftsStore = (): DraftsStore =>
  createStore<Readonly<Record<string, ModelDraft>>>(() => ({}))

export const keepModelDraft = (store: DraftsStore, key: string, draft: ModelDraft): void =>
  store.setState({ ...store.getState(), [key]: draft }, true)

/** The draft of a model, whose id may be a name every object knows, such as `constructor`. */
export const findModelDraft = (
  state: Readonly<Record<string, ModelDraft>>,
  key: string,
): ModelDraft | undefined => (Object.hasOwn(state, key) ? state[key] : undefined)

export function dropModelDraft(store: DraftsStore, key: string): void {
  const { [key]: _dropped, ...others } = store.getState()
  store.setState(others, true)
}

/**
 * Ends the draft a model was saved from. What was typed while it was being saved stays a draft of
 * the model.
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
