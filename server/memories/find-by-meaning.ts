import type { Memory } from '#contract/memories.ts'
import type { MemoryHit } from './store.ts'

/** Turns texts into vectors of unit length, by the engine in use; 502, 503 or 504 when it does not answer. */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<readonly (readonly number[])[]>

interface KeptVector {
  readonly content: string
  readonly vector: Float32Array
}

/** Vectors that are kept, over all people; the ones that came first go first. */
const MOST_KEPT = 20_000
const EMBEDDED_AT_ONCE = 64

/** Of two vectors of unit length, from 0 for opposites to 1 for the same. */
function closeness(left: Float32Array, right: Float32Array): number {
  let product = 0
  for (let index = 0; index < left.length; index += 1) product += left[index]! * right[index]!
  return Math.min(1, Math.max(0, (1 + product) / 2))
}

/**
 * Finds memories by what they mean.
 *
 * @NOTE Vectors of memories live in memory only: they are few and short, and another engine means other vectors. A vector of
 * another length than the question's comes from the engine before.
 */
export function createMeaningSearch(embed: Embed) {
  const kept = new Map<string, KeptVector>()

  async function vectorsOf(memories: readonly Memory[], length: number, signal: AbortSignal): Promise<ReadonlyMap<string, Float32Array>> {
    const found = new Map<string, Float32Array>()
    const missing: Memory[] = []
    for (const memory of memories) {
      const known = kept.get(memory.id)
      if (known?.content === memory.content && known.vector.length === length) found.set(memory.id, known.vector)
      else missing.push(memory)
    }
    for (let start = 0; start < missing.length; start += EMBEDDED_AT_ONCE) {
      const some = missing.slice(start, start + EMBEDDED_AT_ONCE)
      const contents = some.map(({ content }) => content)
      for (const [index, values] of (await embed(contents, signal)).entries()) {
        const { id, content } = some[index]!
        const vector = Float32Array.from(values)
        found.set(id, vector)
        kept.delete(id)
        kept.set(id, { content, vector })
      }
    }
    for (const id of kept.keys()) {
      if (kept.size <= MOST_KEPT) break
      kept.delete(id)
    }
    return found
  }

  return {
    /** The nearest first; `distance` is from 0 to 1, and the larger it is the better it fits. */
    async find(memories: readonly Memory[], text: string, { limit, signal }: { limit: number; signal: AbortSignal }): Promise<MemoryHit[]> {
      if (memories.length === 0) return []
      const [question] = await embed([text], signal)
      const wanted = Float32Array.from(question ?? [])
      const vectors = await vectorsOf(memories, wanted.length, signal)
      return memories
        .map((memory) => ({ ...memory, distance: closeness(wanted, vectors.get(memory.id) ?? new Float32Array(wanted.length)) }))
        .toSorted((left, right) => right.distance - left.distance)
        .slice(0, limit)
    },
    /** To be called when an engine was changed, whose vectors are compared with no others. */
    forget: (): void => kept.clear(),
  }
}
