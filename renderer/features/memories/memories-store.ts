import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Memory } from '#contract/memories.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

export interface MemoriesState {
  readonly memories: readonly Memory[]
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
}

export type MemoriesStore = StoreApi<MemoriesState>

export const createMemoriesStore = (): MemoriesStore =>
  createStore<MemoriesState>(() => ({ memories: [], status: 'loading', problem: null }))

export async function loadMemories(store: MemoriesStore): Promise<void> {
  try {
    store.setState({
      memories: (await call(endpoints.memories.list, {})).toReversed(),
      status: 'ready',
      problem: null,
    })
  } catch (thrown) {
    store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

const put = (store: MemoriesStore, memory: Memory): void =>
  store.setState(({ memories }) => ({
    memories: memories.some(({ id }) => id === memory.id)
      ? memories.map((each) => (each.id === memory.id ? memory : each))
      : [memory, ...memories],
  }))

export async function addMemory(store: MemoriesStore, content: string): Promise<void> {
  put(store, await call(endpoints.memories.add, { body: { content: content.trim() } }))
}

/** Changes a memory; an emptied one stays as it was. */
export async function changeMemory(
  store: MemoriesStore,
  memory: Memory,
  content: string,
): Promise<void> {
  const wanted = content.trim()
  if (!wanted || wanted === memory.content) return
  put(
    store,
    await call(endpoints.memories.update, {
      params: { memory_id: memory.id },
      body: { content: wanted },
    }),
  )
}

export async function removeMemory(store: MemoriesStore, memory: Memory): Promise<void> {
  await call(endpoints.memories.remove, { params: { memory_id: memory.id } })
  store.setState(({ memories }) => ({ memories: memories.filter(({ id }) => id !== memory.id) }))
}

export async function removeAllMemories(store: MemoriesStore): Promise<void> {
  await call(endpoints.memories.removeAll, {})
  store.setState({ memories: [] })
}
