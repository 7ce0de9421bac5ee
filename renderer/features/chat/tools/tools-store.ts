import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SkillEntry } from '#contract/skills.ts'
import type { ToolItem } from '#contract/tools.ts'
import { call, endpoints } from '../../../api/client.ts'

/**
 * A tool server only this window can reach, as shown in the picker. Its id begins with `direct:`.
 */
export interface OwnTool {
  readonly id: string
  readonly name: string
  /** Reason it cannot be used at the moment. */
  readonly problem: string | null
}

export interface ToolsState {
  /** Available tools; null until loaded. */
  readonly tools: readonly ToolItem[] | null
  /** True if this browser had something to choose at the last load; decides until loaded. */
  readonly hadTools: boolean
  readonly own: readonly OwnTool[]
  /** Skills the user may pass to models. */
  readonly skills: readonly SkillEntry[]
  /** Returns own servers as a request names them. */
  readonly describeOwn: (ids: readonly string[]) => Promise<Record<string, unknown>[]>
}

export type ToolsStore = StoreApi<ToolsState>

const STORAGE_KEY = 'composer-tools'

function readHadTools(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'some'
  } catch {
    return false
  }
}

function keepHadTools(hasTools: boolean): void {
  try {
    localStorage.setItem(STORAGE_KEY, hasTools ? 'some' : 'none')
  } catch {
    // Without storage the button appears once the tools are loaded.
  }
}

export const createToolsStore = (): ToolsStore =>
  createStore<ToolsState>(() => ({
    tools: null,
    hadTools: readHadTools(),
    own: [],
    skills: [],
    describeOwn: () => Promise.resolve([]),
  }))

export const isOwnTool = (id: string): boolean => id.startsWith('direct:')

/** The store of this window. */
export const toolsStore = createToolsStore()

/** Loads the tools and skills available to the user; on failure the picker stays hidden. */
export async function loadTools(store: ToolsStore): Promise<void> {
  const [tools, skills] = await Promise.allSettled([
    call(endpoints.tools.list, {}),
    call(endpoints.skills.list, {}),
  ])
  store.setState((before) => ({
    tools: tools.status === 'fulfilled' ? tools.value : (before.tools ?? []),
    skills:
      skills.status === 'fulfilled' ? skills.value.filter((each) => each.is_active) : before.skills,
  }))
  if (tools.status === 'rejected' || skills.status === 'rejected') return
  const { tools: loaded, skills: active } = store.getState()
  keepHadTools((loaded ?? []).length + active.length > 0)
}
