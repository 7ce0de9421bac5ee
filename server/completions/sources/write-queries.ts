import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Exchange } from '../exchange.ts'
import { askTaskModel, saidBy } from '../follow-up/ask-task-model.ts'
import { fillTemplate } from '../follow-up/fill-template.ts'
import { KINDS, readQueries } from '../follow-up/kinds.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { textOf } from '../message-text.ts'
import { builtInNames } from '../prepare/template-names.ts'

const LONGEST_QUERY = 1000
/**
 * Minimum number of words of a question that is likely to name its topic, unlike "And in winter?"
 */
const FEWEST_WORDS = 6

/**
 * Returns the search queries: those of the task model, otherwise the question itself, preceded by
 * the previous one if it is short.
 */
export async function writeQueries(
  parts: CompletionsParts,
  exchange: Exchange,
  { messages }: ChatCompletionRequest,
): Promise<string[]> {
  const plain = toPlainQueries(messages)
  if (plain.length === 0 || !parts.settings.get('ENABLE_RETRIEVAL_QUERY_GENERATION')) return plain
  const { signal } = exchange
  const written = await exchange.share(`queries ${plain.join(' ')}`, signal, () =>
    askForQueries(parts, exchange, { messages, type: 'retrieval', question: '' }),
  )
  if (written === null || written.length === 0) return plain
  const description =
    written.length === 1 ? 'Worded a search.' : `Worded ${written.length} searches.`
  exchange.tell({
    type: 'status',
    data: { action: 'queries_generated', queries: written, description, done: true },
  })
  return written
}

interface Wanted {
  readonly messages: ChatCompletionRequest['messages']
  readonly type: 'retrieval' | 'web_search'
  /** Query used if the model names none; an empty list means that no search is needed. */
  readonly question: string
}

/** Returns the queries of the task model; null if it cannot be asked. */
export async function askForQueries(
  parts: CompletionsParts,
  { caller, resolved, signal }: Exchange,
  { messages, type, question }: Wanted,
): Promise<string[] | null> {
  const names = builtInNames(caller)
  const prompt = fillTemplate(KINDS.queries.template(parts.settings), { messages, type, names })
  try {
    const completion = await askTaskModel(parts, {
      caller,
      resolved,
      prompt,
      task: 'query_generation',
      signal,
    })
    return completion === null ? null : readQueries(saidBy(completion), question)
  } catch (error) {
    if (signal.aborted) throw error
    parts.log.info(
      { error },
      'the search queries could not be generated; the question is used instead',
    )
    return null
  }
}

export function toPlainQueries(messages: ChatCompletionRequest['messages']): string[] {
  const asked = messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => textOf(content).trim().slice(0, LONGEST_QUERY))
  const [question = '', before = ''] = asked.filter((text) => text !== '').toReversed()
  if (question === '') return []
  return before !== '' && question.split(/\s+/, FEWEST_WORDS).length < FEWEST_WORDS
    ? [question, `${before} ${question}`]
    : [question]
}
