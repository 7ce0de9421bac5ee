import type { ChatCompletionChunk } from '#contract/completions.ts'
import { readEvents } from '../../../api/read-events.ts'

/** Content added by one frame of a streamed answer. */
export interface AnswerPiece {
  readonly content: string
  readonly reasoning: string
  /** Id of the message it belongs to, when several are streamed at once. */
  readonly messageId: string | null
  /** Error message reported inside the stream. */
  readonly failure: string | null
  /** Sources of the answer, sent before its text; null in every other frame. */
  readonly sources: readonly Readonly<Record<string, unknown>>[] | null
}

/** Reads an answer streamed in the response of the call, used when no socket is connected. */
export async function* readAnswer(body: ReadableStream<Uint8Array>): AsyncGenerator<AnswerPiece> {
  for await (const data of readEvents(body)) {
    if (data === '[DONE]') return
    const chunk = JSON.parse(data) as Partial<ChatCompletionChunk> & {
      error?: { message?: string }
      message_id?: string
      sources?: unknown
    }
    const delta = chunk.choices?.[0]?.delta
    yield {
      content: delta?.content ?? '',
      reasoning: delta?.reasoning_content ?? '',
      messageId: chunk.message_id ?? null,
      failure: chunk.error?.message ?? null,
      sources: Array.isArray(chunk.sources) ? chunk.sources : null,
    }
  }
}
