import path from 'node:path'
import { openStorage, type Storage } from '../../server/storage/index.ts'
import { IndexThread } from '../../server/retrieval/indexing/index-thread.ts'
import type { IndexingPlan } from '../../server/retrieval/indexing/messages.ts'
import { RetrievalStore } from '../../server/retrieval/store.ts'
import { toUnitLength } from '../../server/retrieval/vectors/quantise.ts'

export const DIMENSIONS = 384

/** Indexing plan of the benchmarks: the default, with vectors that cost nothing. */
export const PLAN: IndexingPlan = {
  size: 250,
  overlap: 30,
  minimum: 60,
  breakAtHeadings: true,
  unit: 'tokens',
  engine: 'bench',
  batch: 64,
  parallel: 2,
}

/** Returns the same sequence of numbers every time, from -0.5 to 0.5. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 2 ** 32 - 0.5
  }
}

/**
 * Creates vectors in clusters, as embeddings of texts are distributed: a center and some noise
 * around it.
 */
export function createVectors(seed: number, clusters = 500, dimensions = DIMENSIONS) {
  const random = createRandom(seed)
  const centres = Array.from({ length: clusters }, () =>
    Float32Array.from({ length: dimensions }, random),
  )
  return (): Float32Array => {
    const centre = centres[Math.floor((random() + 0.5) * clusters) % clusters]!
    return toUnitLength(centre.map((value) => value + random() * 0.9))
  }
}

const SYLLABLES =
  'ka mo ri te lu san per dor vin gal ost ber nim cho fra wel tur zen pol ash'.split(' ')

/** Creates words of a made-up language, the frequent ones first, as in real texts. */
export function createProse(seed: number) {
  const random = createRandom(seed)
  const word = (): string => {
    const rank = Math.floor(20_000 ** (random() + 0.5)) - 1
    let text = ''
    for (let rest = rank + 20; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
      text += SYLLABLES[rest % SYLLABLES.length]
    return text
  }
  return (words: number): string => {
    let text = ''
    for (let place = 0; place < words; place += 1)
      text += word() + (place % 14 === 13 ? '. ' : place % 98 === 97 ? '.\n\n' : ' ')
    return text
  }
}

/** Opens a database with the thread that writes its index. */
export function openIndex(folder: string): {
  storage: Storage
  thread: IndexThread
  putInPlace: (id: string, seq: number) => Promise<void>
} {
  const storage = openStorage({ path: path.join(folder, 'index.db') })
  const thread = new IndexThread({
    database: storage.sqlite.name,
    writeTurns: storage.writeTurns,
  })
  const store = new RetrievalStore(storage)
  return { storage, thread, putInPlace: (id, seq) => store.putInPlace(id, seq) }
}
