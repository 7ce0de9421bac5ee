import { createStore, type StoreApi } from 'zustand/vanilla'
import type { PluginSource } from './plugin-kinds.ts'

/** Unsaved sources by plugin id; empty id for a new one. Kept until the window is closed. */
export type PluginDrafts = StoreApi<Readonly<Record<string, PluginSource>>>

export const createPluginDrafts = (): PluginDrafts =>
  createStore<Readonly<Record<string, PluginSource>>>(() => ({}))

export const keepPluginDraft = (drafts: PluginDrafts, id: string, draft: PluginSource): void =>
  drafts.setState({ ...drafts.getState(), [id]: draft }, true)

/**
 * Returns the draft of a plugin, whose id may equal a built-in property name such as `constructor`.
 */
export const findPluginDraft = (
  state: Readonly<Record<string, PluginSource>>,
  id: string,
): PluginSource | undefined => (Object.hasOwn(state, id) ? state[id] : undefined)

export function dropPluginDraft(drafts: PluginDrafts, id: string): void {
  const { [id]: _dropped, ...others } = drafts.getState()
  drafts.setState(others, true)
}

/**
 * Removes the draft a plugin was saved from. Changes typed during saving remain a draft of the
 * plugin.
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
