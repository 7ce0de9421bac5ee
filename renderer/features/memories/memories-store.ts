import type { Memory } from '#contract/memories.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'

export type MemoriesStore = ListStore<Memory>

/** Creates the store of the user's memories, the newest first. */
export const createMemoriesStore = (): MemoriesStore =>
  new ListStore<Memory>({
    read: async ({ signal }) => ({
      items: (await call(endpoints.memories.list, {}, { signal })).toReversed(),
    }),
    extra: {},
    keyOf: ({ id }) => id,
    compare: (left, right) => right.created_at - left.created_at,
  })

export async function addMemory(store: MemoriesStore, content: string): Promise<void> {
  store.put(await call(endpoints.memories.add, { body: { content: content.trim() } }))
}

/** Changes a memory; empty text leaves it unchanged. */
export async function changeMemory(
  store: MemoriesStore,
  memory: Memory,
  content: string,
): Promise<void> {
  const wanted = content.trim()
  if (!wanted || wanted === memory.content) return
  store.put(
    await call(endpoints.memories.update, {
      params: { memory_id: memory.id },
      body: { content: wanted },
    }),
  )
}

export async function removeMemory(store: MemoriesStore, memory: Memory): Promise<void> {
  await call(endpoints.memories.remove, { params: { memory_id: memory.id } })
  store.drop(memory.id)
}

export async function removeAllMemories(store: MemoriesStore): Promise<void> {
  await call(endpoints.memories.removeAll, {})
  store.noteChange()
  store.setState({ items: [], total: 0 })
}
