import { stat } from 'node:fs/promises'
import { totalmem } from 'node:os'
import type {
  LlamaContext,
  LlamaContextSequence,
  LlamaEmbeddingContext,
  LlamaModel,
  LlamaRankingContext,
} from 'node-llama-cpp'
import { EngineFault, NO_ROOM } from './fault.ts'
import type { OpenLibrary } from './open-library.ts'

/** Maximum number of conversations a model answers concurrently; others wait. */
const SEQUENCES = 2
/** Default context length; the full length the model was trained with may take all memory. */
const USUAL_CONTEXT = 8192
const LEAST_CONTEXT = 128

export interface LoadOptions {
  /** Aborts when no caller waits for the model any more. */
  readonly signal: AbortSignal
  /** Called with the share that is loaded, between 0 and 1. */
  readonly onProgress: (share: number) => void
}

interface Waiting {
  readonly take: (sequence: LlamaContextSequence) => void
}

const noRoom = (error: unknown): EngineFault =>
  new EngineFault(
    NO_ROOM,
    'There is too little memory for this model right now. Close other programs, or choose a smaller one.',
    error,
  )

const toGigabytes = (bytes: number): number => Math.ceil(bytes / 1e9)

/**
 * Refuses a model that cannot fit into the memory of this computer, because loading it would stall
 * everything else.
 */
async function requireMemory({ llama }: OpenLibrary, file: string): Promise<void> {
  const { size } = await stat(file)
  const { total: ofGraphics } = await llama.getVramState()
  const there = totalmem() + ofGraphics
  if (size > there)
    throw new EngineFault(
      NO_ROOM,
      `This model needs more than ${toGigabytes(size)} GB of memory, and this computer has ${toGigabytes(there)} GB. Choose a smaller one.`,
    )
}

async function loadFile(
  opened: OpenLibrary,
  file: string,
  { signal, onProgress }: LoadOptions,
): Promise<LlamaModel> {
  const { library, llama } = opened
  await requireMemory(opened, file)
  try {
    return await llama.loadModel({
      modelPath: file,
      loadSignal: signal,
      onLoadProgress: onProgress,
    })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof library.InsufficientMemoryError) throw noRoom(error)
    throw new EngineFault(
      422,
      'The file of this model is damaged, or of a kind the engine does not know. Download it again, or choose another one.',
      error,
    )
  }
}

/** A model in memory, with its contexts for conversations and texts. */
export class LoadedModel {
  readonly file: string
  readonly model: LlamaModel
  readonly #opened: OpenLibrary
  #context: LlamaContext | null = null
  /** Context length that was asked for; memory may have given less. */
  #asked = 0
  #opening: Promise<void> | null = null
  #embedding: Promise<LlamaEmbeddingContext> | null = null
  #ranking: Promise<LlamaRankingContext> | null = null
  #free: LlamaContextSequence[] = []
  #lent = 0
  readonly #waiting: Waiting[] = []

  private constructor(file: string, model: LlamaModel, opened: OpenLibrary) {
    this.file = file
    this.model = model
    this.#opened = opened
  }

  static async load(opened: OpenLibrary, file: string, load: LoadOptions): Promise<LoadedModel> {
    return new LoadedModel(file, await loadFile(opened, file, load), opened)
  }

  /** Context length in tokens; 0 before the first call. */
  get contextLength(): number {
    return this.#context?.contextSize ?? 0
  }

  /**
   * Resolves with a sequence for a conversation when one is free; null if the call ended before.
   * `onQueued` is called if others have to end first.
   */
  async lend(
    wanted: number | null,
    signal: AbortSignal,
    onQueued: () => void = () => undefined,
  ): Promise<LlamaContextSequence | null> {
    await this.prepare(wanted)
    if (signal.aborted) return null
    const free = this.#free.pop()
    if (free) {
      this.#lent += 1
      return free
    }
    onQueued()
    return new Promise((resolve) => {
      const waiting = { take: resolve }
      this.#waiting.push(waiting)
      signal.addEventListener('abort', () => {
        const place = this.#waiting.indexOf(waiting)
        if (place === -1) return
        this.#waiting.splice(place, 1)
        resolve(null)
      })
    })
  }

  /**
   * Opens the context for conversations, with the first one or before it; reopens it, once all are
   * done, for a conversation that needs a longer one.
   */
  async prepare(wanted: number | null): Promise<void> {
    await this.#opening
    const most = this.model.trainContextSize
    const length = Math.max(LEAST_CONTEXT, Math.min(wanted ?? USUAL_CONTEXT, most))
    // A shorter one than asked for stays: memory would not give more to every further call.
    const isLongEnough = Math.max(this.contextLength, this.#asked) >= length || wanted === null
    if (this.#context && (isLongEnough || this.#lent > 0)) return
    this.#opening ??= this.#replaceContext(length).finally(() => (this.#opening = null))
    await this.#opening
  }

  giveBack(sequence: LlamaContextSequence): void {
    const next = this.#waiting.shift()
    if (next) return next.take(sequence)
    this.#lent -= 1
    if (!sequence.disposed) this.#free.push(sequence)
  }

  embedding(): Promise<LlamaEmbeddingContext> {
    return (this.#embedding ??= this.model
      .createEmbeddingContext({ contextSize: { max: USUAL_CONTEXT } })
      .catch((error: unknown) => {
        this.#embedding = null
        throw error instanceof this.#opened.library.InsufficientMemoryError ? noRoom(error) : error
      }))
  }

  ranking(): Promise<LlamaRankingContext> {
    return (this.#ranking ??= this.#openRanking().catch((error: unknown) => {
      this.#ranking = null
      throw error instanceof this.#opened.library.InsufficientMemoryError ? noRoom(error) : error
    }))
  }

  async dispose(): Promise<void> {
    await this.model.dispose()
  }

  async #openRanking(): Promise<LlamaRankingContext> {
    if (!this.model.fileInsights.supportsRanking)
      throw new EngineFault(400, 'This model does not rank texts. Choose a model for reranking.')
    return this.model.createRankingContext({ contextSize: { max: USUAL_CONTEXT } })
  }

  async #replaceContext(length: number): Promise<void> {
    await this.#context?.dispose()
    this.#context = null
    this.#asked = length
    const create = (sequences: number) =>
      this.model.createContext({ sequences, contextSize: { max: length } })
    try {
      this.#context = await create(SEQUENCES).catch(() => create(1))
    } catch (error) {
      throw noRoom(error)
    }
    const { totalSequences } = this.#context
    this.#free = Array.from({ length: totalSequences }, () => this.#context!.getSequence())
  }
}
