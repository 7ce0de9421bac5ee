import { hash } from 'node:crypto'
import type { Memory } from '#contract/memories.ts'
import { runInTurns } from '../lib/turns.ts'
import type { MemoryHit } from './store.ts'

/**
 * Converts texts into vectors of unit length with the current engine; throws 502, 503 or 504 if it
 * does not respond.
 */
export type Embed = (
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<readonly (readonly number[])[]>

interface KeptVector {
  /** Hash of the text. */
  readonly hash: string
  readonly vector: Float32Array
}

/** Maximum number of vectors kept for all users; the oldest ones are evicted first. */
const MOST_KEPT = 20_000
const EMBEDDED_AT_ONCE = 64

const hashOf = (content: string): string => hash('sha256', content, 'base64url')

/** Returns the similarity of two vectors of unit length, from 0 for opposite to 1 for equal. */
function closeness(left: Float32Array, right: Float32Array): number {
  let product = 0
  for (let index = 0; index < left.length; index += 1) product += left[index]! * right[index]!
  return Math.min(1, Math.max(0, (1 + product) / 2))
}

/** The nearest memories found so far, nearest first. */
class NearestMemories {
  readonly found: MemoryHit[] = []
  readonly #limit: number
  readonly #question: Float32Array

  constructor(question: Float32Array, limit: number) {
    this.#question = question
    this.#limit = limit
  }

  add(memory: Memory, vector: Float32Array): void {
    const distance = closeness(this.#question, vector)
    if (this.found.length === this.#limit && distance <= this.found.at(-1)!.distance) return
    const place = this.found.findIndex((hit) => hit.distance < distance)
    this.found.splice(place === -1 ? this.found.length : place, 0, { ...memory, distance })
    if (this.found.length > this.#limit) this.found.pop()
  }
}

/**
 * Finds memories by meaning.
 *
 * @NOTE Vectors are kept in memory only, without the texts, because they differ between engines. A
 *   vector whose length differs from that of the question comes from a previous engine.
 */
export class MeaningSearch {
  readonly #embed: Embed
  readonly #kept = new Map<string, KeptVector>()

  constructor(embed: Embed) {
    this.#embed = embed
  }

  /** Nearest first; `distance` is from 0 to 1, larger is better. */
  async find(
    list: () => AsyncIterator<Memory>,
    text: string,
    { limit, signal }: { limit: number; signal: AbortSignal },
  ): Promise<MemoryHit[]> {
    if ((await list().next()).done) return []
    const [values] = await this.#embed([text], signal)
    const question = Float32Array.from(values ?? [])
    const nearest = new NearestMemories(question, limit)
    const memories = list()
    for (;;) {
      const missing = await runInTurns(this.#compareKnown(memories, nearest, question.length))
      if (missing.length > 0) await this.#embedMissing(missing, nearest, signal)
      if (missing.length < EMBEDDED_AT_ONCE) return nearest.found
    }
  }

  /**
   * Must be called when the engine has changed, because vectors of different engines cannot be
   * compared.
   */
  forget(): void {
    this.#kept.clear()
  }

  /**
   * Compares memories whose vectors are known, in short steps; the others are collected, up to a
   * limit at a time.
   */
  async *#compareKnown(
    memories: AsyncIterator<Memory>,
    nearest: NearestMemories,
    length: number,
  ): AsyncGenerator<void, Memory[]> {
    const missing: Memory[] = []
    while (missing.length < EMBEDDED_AT_ONCE) {
      const next = await memories.next()
      if (next.done) break
      const known = this.#kept.get(next.value.id)
      if (known?.vector.length === length && known.hash === hashOf(next.value.content))
        nearest.add(next.value, known.vector)
      else missing.push(next.value)
      yield
    }
    return missing
  }

  async #embedMissing(
    missing: readonly Memory[],
    nearest: NearestMemories,
    signal: AbortSignal,
  ): Promise<void> {
    const contents = missing.map(({ content }) => content)
    for (const [index, values] of (await this.#embed(contents, signal)).entries()) {
      const memory = missing[index]!
      const vector = Float32Array.from(values)
      nearest.add(memory, vector)
      this.#kept.delete(memory.id)
      this.#kept.set(memory.id, { hash: hashOf(memory.content), vector })
    }
    for (const id of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break
      this.#kept.delete(id)
    }
  }
}
