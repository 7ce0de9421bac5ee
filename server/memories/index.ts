import type { Memory } from '#contract/memories.ts'
import { badRequest, notFound } from '../lib/errors.ts'
import type { Route } from '../lib/http.ts'
import { eachInSteps, ONE_IN_A_STEP, runInTurns } from '../lib/turns.ts'
import { toOwnerWord, wordsOf } from '../lib/words.ts'
import type { Storage } from '../storage/index.ts'
import type { Settings } from '../settings/index.ts'
import { createMeaningSearch, type Embed } from './find-by-meaning.ts'
import { createMemoryRoutes } from './routes.ts'
import { createMemoryStore, type MemoryHit, type MemoryStore } from './store.ts'

export type { MemoryHit }

/**
 * Lasting facts about people that models are told (reference §10.3). Everybody sees only their own.
 */
export interface Memories {
  /** The oldest first, each read when it is asked for. */
  list(userId: string): Generator<Memory>
  /** 400 when somebody has as many as can be kept. */
  add(userId: string, content: string): Memory
  /** 404 for a missing or foreign one. */
  update(userId: string, id: string, content: string): Memory
  /** 404 for a missing or foreign one. */
  remove(userId: string, id: string): void
  /** In short steps, as each goes with its words. */
  removeAll(userId: string): Promise<void>
  /** The memories sharing words with a text, the best fitting first. */
  find(userId: string, text: string, limit: number): MemoryHit[]
  /**
   * The memories nearest to what a text means, the nearest first; `distance` is from 0 to 1, and
   * the larger it is the better it fits. 502, 503 or 504 when the engine for embeddings does not
   * answer.
   */
  findByMeaning(
    userId: string,
    text: string,
    options: { limit: number; signal: AbortSignal },
  ): Promise<MemoryHit[]>
  /** Builds the index anew from the memories, in short steps. */
  indexAgain(userId: string): Promise<void>
  readonly routes: readonly Route[]
}

const MOST_MEMORIES = 10_000
/** Words of a long text that are looked for; the first ones say what it is about. */
const MOST_WORDS = 64

/**
 * Any of the words may fit; only letters and digits enter the query, so nothing in a text can act
 * as an operator.
 */
function toMatch(text: string, userId: string): string | null {
  const words = new Set<string>()
  for (const { text: word } of wordsOf(text)) {
    words.add(word.toLowerCase())
    if (words.size === MOST_WORDS) break
  }
  if (words.size === 0) return null
  const any = [...words].map((word) => `"${word}"`).join(' OR ')
  return `owner : "${toOwnerWord(userId)}" AND content : (${any})`
}

function* removeInSteps(store: MemoryStore, userId: string): Generator<void, void> {
  while (store.removeSome(userId)) yield
}

/** What the domain is built from. */
export interface MemoriesDependencies {
  readonly storage: Storage
  readonly settings: Pick<Settings, 'onChange'>
  /** Retrieval is built later. */
  readonly embed: Embed
}

/** Builds the domain on the tables of `0008-prompts-memories-notes`. */
export function createMemories({ storage, settings, embed }: MemoriesDependencies): Memories {
  const meaning = createMeaningSearch(embed)
  settings.onChange((keys) => {
    if (keys.some((key) => key.startsWith('RAG_'))) meaning.forget()
  })
  const store = createMemoryStore(storage)
  const missing = () => notFound('There is no such memory.')

  /** One after the other, as there may be many; what goes away meanwhile is left out. */
  function* list(userId: string): Generator<Memory> {
    for (const id of store.ids(userId)) {
      const memory = store.get(userId, id)
      if (memory) yield memory
    }
  }

  const memories: Omit<Memories, 'routes'> = {
    list,
    add(userId, content) {
      if (store.count(userId) >= MOST_MEMORIES)
        throw badRequest(`You have ${MOST_MEMORIES} memories. Delete some first.`)
      return store.insert(userId, content)
    },
    update(userId, id, content) {
      const memory = store.update(userId, id, content) ? store.get(userId, id) : null
      if (!memory) throw missing()
      return memory
    },
    remove(userId, id) {
      if (!store.remove(userId, id)) throw missing()
    },
    removeAll: (userId) => runInTurns(removeInSteps(store, userId)),
    find(userId, text, limit) {
      const match = toMatch(text, userId)
      return match === null ? [] : store.find(match, limit)
    },
    findByMeaning: (userId, text, options) => meaning.find(() => list(userId), text, options),
    indexAgain: (userId) =>
      runInTurns(eachInSteps(store.ids(userId), store.indexAgain, ONE_IN_A_STEP)),
  }
  return { ...memories, routes: createMemoryRoutes(memories) }
}
