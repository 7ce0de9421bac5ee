import { callRaw, endpoints } from '../../api/client.ts'
import { readAnswer } from '../../features/chat/sending/read-stream.ts'
import type { StreamAnswer } from '../../features/models/preview-pane.tsx'

/** Requests an answer from a model without a chat, so that nothing is stored. */
export const streamAnswer: StreamAnswer = async function* (request, signal) {
  const { body } = await callRaw(
    endpoints.completions.chatCompletions,
    { params: {}, body: request },
    { signal },
  )
  if (body) yield* readAnswer(body)
}
