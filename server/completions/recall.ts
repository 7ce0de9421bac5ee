import { ServiceError } from '../lib/errors.ts'
import type { Exchange } from './exchange.ts'
import type { CompletionsParts } from './index.ts'

/** Most memories a model is told at once. */
const RECALLED = 5

/**
 * The memories nearest to what a question means. While the engine for embeddings does not answer,
 * those that share words with it, and the status line says so.
 */
export async function recall(
  { memories, log }: Pick<CompletionsParts, 'memories' | 'log'>,
  { caller: { userId }, signal, tell }: Pick<Exchange, 'caller' | 'signal' | 'tell'>,
  question: string,
): Promise<string[]> {
  try {
    const found = await memories.findByMeaning(userId, question, { limit: RECALLED, signal })
    return found.map(({ content }) => content)
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError)) throw error
    log.info(
      { error },
      'memories could not be found by meaning; those with the same words are used',
    )
    tell({
      type: 'status',
      data: {
        action: 'memory',
        done: true,
        error: true,
        description: `${error.message} ${BY_WORDS}`,
      },
    })
    return memories.find(userId, question, RECALLED).map(({ content }) => content)
  }
}

const BY_WORDS = 'The model is told the memories that share words with the question.'
