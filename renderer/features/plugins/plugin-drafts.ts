import { createStore, type StoreApi } from 'zustand/vanilla'
import type { PluginSource } from './plugin-kinds.ts'

/**
 * Sources that were changed and not saved, by the id of their plugin; empty for a new one. They
 * last as long as the window.
 */
export type PluginDrafts = StoreApi<Readonly<Record<string, PluginSource>>>

export const createPluginDrafts = (): PluginDrafts =>
  createStore<Readonly<Record<string, PluginSource>>>(() => ({}))

export const keepPluginDraft = (drafts: PluginDrafts, id: string, draft: PluginSource): void =>
  drafts.setState({ ...drafts.getState(), [id]: draft }, true)

/** The draft of a plugin, whose id may be a name every object knows, such as `constructor`. */
export const findPluginDraft = (
  state: Readonly<Record<string, PluginSource>>,
  id: string,
): PluginSource | undefined => (Object.hasOwn(state, id) ? state[id] : undefined)

export function dropPluginDraft(drafts: PluginDrafts, id: string): void {
  const { [id]: _dropped, ...others } = drafts.getState()
  drafts.setState(others, true)
}

/**
 * Ends the draft a plugin was saved from. What was typed while it was being saved stays a draft of
 * the plugin.
 */
export function settlePluginDraft(
  drafts: PluginDrafts,
  key: string,
  saved: PluginSource,
  id: string,
): void {
  const shown = findPluginDraft(drafts.getState(), key)
  dropPluginDraft(drafts, key)
  if (shown !== undefined && shown !== saved) keepPluginDraft(drafts, id, { ...shown, id })
}
