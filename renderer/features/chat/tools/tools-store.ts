import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SkillEntry } from '#contract/skills.ts'
import type { ToolItem } from '#contract/tools.ts'
import { call, endpoints } from '../../../api/client.ts'

/** A tool server only this window reaches, as the picker shows it. Its id begins with `direct:`. */
export interface OwnTool {
  readonly id: string
  readonly name: string
  /** Why it cannot be used now. */
  readonly problem: string | null
}

export interface ToolsState {
  /** Null until they were asked for. */
  readonly tools: readonly ToolItem[] | null
  readonly own: readonly OwnTool[]
  /** Skills the person may have models read. */
  readonly skills: readonly SkillEntry[]
  /** Own servers as a request names them. */
  readonly describeOwn: (ids: readonly string[]) => Promise<Record<string, unknown>[]>
}

export type ToolsStore = StoreApi<ToolsState>

export const createToolsStore = (): ToolsStore =>
  createStore<ToolsState>(() => ({
    tools: null,
    own: [],
    skills: [],
    describeOwn: () => Promise.resolve([]),
  }))

export const isOwnTool = (id: string): boolean => id.startsWith('direct:')

/** The one of this window. */
export const toolsStore = createToolsStore()

/** Fetches what the person may use; without it the picker stays away. */
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
}
