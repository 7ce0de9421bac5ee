import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { TextCompletionRequest } from '#contract/text-completions.ts'
import type { CallNotes } from '../../../lib/call-notes.ts'
import { badRequest } from '../../../lib/errors.ts'

/** Answers to one request that are asked for one after the other. */
const MOST_CALLS = 128

const refuse = (what: string, param: string) =>
  badRequest(what, { code: 'unsupported_parameter', param })

/**
 * The prompts of a request as texts; null when they are tokens, which only the model's own provider
 * can read.
 */
export function readPrompts({ prompt }: TextCompletionRequest): readonly string[] | null {
  if (prompt === undefined || prompt === null) return ['']
  if (typeof prompt === 'string') return [prompt]
  if (prompt.length === 0)
    throw badRequest('The list "prompt" is empty. Send at least one text.', { param: 'prompt' })
  return prompt.every((each) => typeof each === 'string') ? prompt : null
}

/**
 * The prompts of single calls, one for each answer. 400 for what only one call with all of it could
 * answer.
 */
export function toSinglePrompts(
  { n, best_of: best }: TextCompletionRequest,
  prompts: readonly string[] | null,
): readonly string[] {
  if (prompts === null)
    throw refuse(
      'This model reads prompts as text, not as tokens. Send "prompt" as a text or a list of texts.',
      'prompt',
    )
  const count = n ?? 1
  if (typeof best === 'number' && best > count)
    throw refuse(
      'This model cannot choose the best of several answers. Leave out "best_of".',
      'best_of',
    )
  if (prompts.length * count > MOST_CALLS) {
    throw badRequest(
      `This model is asked once for each answer, and at most ${MOST_CALLS} times. Send fewer prompts or a smaller "n".`,
      {
        param: prompts.length > 1 ? 'prompt' : 'n',
      },
    )
  }
  return prompts.flatMap((prompt) => Array.from({ length: count }, () => prompt))
}

/** A prompt as a conversation of one message, which filters and models of other formats read. */
export function toChatRequest(body: TextCompletionRequest, prompt: string): ChatCompletionRequest {
  const {
    prompt: _,
    suffix: __,
    n: ___,
    best_of: ____,
    echo: _____,
    logprobs: ______,
    ...rest
  } = body
  return { ...rest, messages: [{ role: 'user', content: prompt }] }
}

/** The prompt of a conversation that is still nothing else; null once anything joined it. */
export function toPrompt({ messages }: ChatCompletionRequest): string | null {
  const [message, other] = messages
  const text = message?.['content']
  return other === undefined && message?.role === 'user' && typeof text === 'string' ? text : null
}

/**
 * A conversation of one message as the text to complete, with what conversations have no place for.
 */
export function toTextRequest(
  body: TextCompletionRequest,
  request: ChatCompletionRequest,
  prompt: string,
): Record<string, unknown> {
  const { suffix, logprobs } = body
  const { messages: _, ...rest } = request
  return {
    ...rest,
    prompt,
    ...(suffix != null && { suffix }),
    ...(logprobs != null && { logprobs }),
  }
}

/** A conversation has no place for what comes behind the answer. */
export function requireNoSuffix({ suffix }: TextCompletionRequest): void {
  if (suffix)
    throw refuse(
      'This model cannot write what stands before a suffix. Leave out "suffix", or choose another model.',
      'suffix',
    )
}

/** Notes what a request loses that becomes a conversation. */
export function noteAsConversation(notes: CallNotes, { logprobs }: TextCompletionRequest): void {
  notes.translated('prompt')
  if (logprobs != null) notes.ignored('logprobs', 'no_counterpart')
}

/** Notes what the gateway does itself for models that take one prompt at a time. */
export function noteSingles(
  notes: CallNotes,
  { prompt, n, echo, best_of: best }: TextCompletionRequest,
): void {
  const done = {
    prompt: Array.isArray(prompt),
    n: n != null,
    echo: echo === true,
    best_of: best != null,
  }
  for (const [name, isDone] of Object.entries(done)) if (isDone) notes.translated(name)
}
