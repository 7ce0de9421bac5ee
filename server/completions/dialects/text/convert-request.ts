import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { TextCompletionRequest } from '#contract/text-completions.ts'
import type { CallNotes } from '../../../lib/serving/call-notes.ts'
import { badRequest } from '../../../lib/errors.ts'

/** Maximum number of sequential calls for one request. */
const MOST_CALLS = 128

const refuse = (what: string, param: string) =>
  badRequest(what, { code: 'unsupported_parameter', param })

/**
 * Returns the prompts of a request as texts; null if they are tokens, which only the model's own
 * provider can read.
 */
export function readPrompts({ prompt }: TextCompletionRequest): readonly string[] | null {
  if (prompt === undefined || prompt === null) return ['']
  if (typeof prompt === 'string') return [prompt]
  if (prompt.length === 0)
    throw badRequest('The list "prompt" is empty. Send at least one text.', { param: 'prompt' })
  return prompt.every((each) => typeof each === 'string') ? prompt : null
}

/**
 * Returns the prompts of the single calls, one for each answer. Throws 400 for requests that only
 * one call with all prompts could answer.
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

/**
 * Converts a prompt into a conversation of one message, for filters and for models of other
 * formats.
 */
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

/** Returns the prompt of a conversation that consists only of it; null once anything was added. */
export function toPrompt({ messages }: ChatCompletionRequest): string | null {
  const [message, other] = messages
  const text = message?.['content']
  return other === undefined && message?.role === 'user' && typeof text === 'string' ? text : null
}

/**
 * Converts a conversation of one message back into a text request, with the fields conversations do
 * not have.
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

/** Throws 400 for `suffix`, because a conversation has no field for text after the answer. */
export function requireNoSuffix({ suffix }: TextCompletionRequest): void {
  if (suffix)
    throw refuse(
      'This model cannot write what stands before a suffix. Leave out "suffix", or choose another model.',
      'suffix',
    )
}

/** Notes the fields a request loses when it becomes a conversation. */
export function noteAsConversation(notes: CallNotes, { logprobs }: TextCompletionRequest): void {
  notes.translated('prompt')
  if (logprobs != null) notes.ignored('logprobs', 'no_counterpart')
}

/** Notes the fields the gateway implements itself for models that take one prompt at a time. */
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
