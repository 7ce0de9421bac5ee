import { ServiceError } from '../../lib/errors.ts'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { textOf } from '../message-text.ts'
import type { Step } from './step.ts'
import { withSystem } from './with-system.ts'

const INTRODUCTION = 'What is known about the person, to be used only where it matters:'
const BY_WORDS = 'The model is told the memories that share words with the question.'

/** Maximum number of memories passed to a model at once. */
const RECALLED = 5

/** Adds the user's memories that are relevant to the question. */
export const recallMemories: Step = (parts, exchange, request) =>
  exchange.sent.features?.['memory'] && parts.settings.get('ENABLE_MEMORIES')
    ? withRecalled(parts, exchange, request)
    : request

async function withRecalled(
  parts: CompletionsParts,
  exchange: Exchange,
  request: ChatCompletionRequest,
): Promise<ChatCompletionRequest> {
  const question = request.messages.findLast(({ role }) => role === 'user')
  const facts = await recall(parts, exchange, textOf(question?.['content']))
  if (facts.length === 0) return request
  const system = [INTRODUCTION, ...facts.map((fact) => `- ${fact}`)].join('\n')
  return { ...request, messages: withSystem(request.messages, system) }
}

/**
 * Returns the memories closest in meaning to a question. If the embedding engine does not respond,
 * returns those that share words with it, and the status line reports this.
 */
async function recall(
  { memories, log }: CompletionsParts,
  { caller: { userId }, signal, tell }: Pick<Exchange, 'caller' | 'signal' | 'tell'>,
  question: string,
): Promise<string[]> {
  try {
    const found = await memories.findByMeaning(userId, question, { limit: RECALLED, signal })
    return found.map(({ content }) => content)
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError)) throw error
    log.info({ error }, 'memories could not be searched by meaning; they were searched by words')
    tell({
      type: 'status',
      data: {
        action: 'memory',
        done: true,
        error: true,
        description: `${error.message} ${BY_WORDS}`,
      },
    })
    return (await memories.find(userId, question, RECALLED)).map(({ content }) => content)
  }
}
