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
  drafts.setState({ [id]: draft })

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
  const shown = drafts.getState()[key]
  dropPluginDraft(drafts, key)
  if (shown !== undefined && shown !== saved) keepPluginDraft(drafts, id, { ...shown, id })
}
