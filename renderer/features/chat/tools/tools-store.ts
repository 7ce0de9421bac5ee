import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ToolItem } from '#contract/tools.ts'
import { call, endpoints } from '../../../api/client.ts'

export interface ToolsState {
  /** Null until they were asked for. */
  readonly tools: readonly ToolItem[] | null
}

export type ToolsStore = StoreApi<ToolsState>

export const createToolsStore = (): ToolsStore => createStore<ToolsState>(() => ({ tools: null }))

/** The one of this window. */
export const toolsStore = createToolsStore()

/** Fetches what the person may use; without it the picker stays away. */
export async function loadTools(store: ToolsStore): Promise<void> {
  try {
    store.setState({ tools: await call(endpoints.tools.list, {}) })
  } catch {
    store.setState(({ tools }) => ({ tools: tools ?? [] }))
  }
}
