import type { ChatCompletionChunk, ChatCompletionRequest } from '#contract/completions.ts'
import { endpoints } from '#contract/endpoints.ts'
import type { Caller } from '../lib/http.ts'
import { parseInput } from '../lib/serving/parse-input.ts'
import type { ErrorFrame } from '../providers/index.ts'
import { generateStateless, toFrameError } from './deliver/collect-answer.ts'
import type { CompletionsParts } from './completions-parts.ts'
import { prepareStateless } from './prepare/prepare-stateless.ts'

/**
 * Question from another part of the gateway, asked on behalf of a user with that user's
 * permissions.
 */
export interface TextQuestion {
  readonly caller: Caller
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  /** Ids of files the answer may use. */
  readonly files: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Yields the text of an answer chunk by chunk, with the same filters, tools and sources as a
 * stateless call of the user.
 */
export async function* streamText(
  parts: CompletionsParts,
  question: TextQuestion,
): AsyncGenerator<string, void, void> {
  const { caller, model, messages, files, signal } = question
  const attached = files.length > 0 && { files: files.map((id) => ({ type: 'file', id })) }
  const body = { model, messages, stream: true, ...attached }
  const sent = parseInput(
    endpoints.completions.chatCompletions.body,
    body,
    'body',
  ) as ChatCompletionRequest
  const resolved = await parts.models.resolve(caller, sent.model)
  const prepared = await prepareStateless(parts, { sent, caller, resolved, signal })
  try {
    for await (const frame of generateStateless(prepared)) {
      if (!('choices' in frame)) throw toFrameError(frame as ErrorFrame)
      const text = (frame as ChatCompletionChunk).choices[0]?.delta.content
      if (text) yield text
    }
  } finally {
    prepared.exchange.lifetime.end()
  }
}
