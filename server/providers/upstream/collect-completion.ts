import type { ChatCompletion, ChatCompletionChunk } from '#contract/completions.ts'
import { AnswerRoom, keepFlat } from '../../lib/answer-room.ts'
import { addressOfImage, listImages } from '../../lib/images/image-parts.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import type { CompletionFrame } from '../provider.ts'
import { logProbabilitiesOf, toLogProbabilities } from './log-probabilities.ts'
import { mergeDetails } from './merge-details.ts'
import { isErrorFrame, requireCaller, toThrown } from './read-frames.ts'

type ToolCall = NonNullable<ChatCompletionChunk['choices'][number]['delta']['tool_calls']>[number]

/** Accumulated frames of a stream. */
export interface CollectedFrames {
  head: Partial<ChatCompletionChunk>
  content: string
  /** See `keepFlat`. */
  flat: number
  reasoning: string
  reasoningDetails: Record<string, unknown>[]
  refusal: string
  toolCalls: ToolCall[]
  images: unknown[]
  logProbabilities: unknown[]
  finish: string | null
  usage: Record<string, unknown> | null
}

export const newAnswer = (): CollectedFrames => ({
  head: {},
  content: '',
  flat: 0,
  reasoning: '',
  reasoningDetails: [],
  refusal: '',
  toolCalls: [],
  images: [],
  logProbabilities: [],
  finish: null,
  usage: null,
})

/** Returns the length of all text a frame adds. */
export function countUnits({ choices }: ChatCompletionChunk): number {
  let units = 0
  for (const { delta } of choices) {
    units += (delta.content?.length ?? 0) + (delta.reasoning_content?.length ?? 0)
    if (typeof delta['refusal'] === 'string') units += delta['refusal'].length
    for (const image of listImages(delta)) units += addressOfImage(image)?.length ?? 0
    if (delta.tool_calls)
      for (const call of delta.tool_calls) units += call.function?.arguments?.length ?? 0
  }
  return units
}

export function addFrame(answer: CollectedFrames, frame: ChatCompletionChunk): void {
  answer.head = { ...answer.head, ...frame }
  if (frame.usage) answer.usage = frame.usage
  const choice = frame.choices.find((candidate) => candidate.index === 0)
  if (!choice) return
  answer.content += choice.delta.content ?? ''
  answer.flat = keepFlat(answer.content, answer.flat)
  answer.reasoning += choice.delta.reasoning_content ?? ''
  mergeDetails(answer.reasoningDetails, choice.delta['reasoning_details'])
  if (typeof choice.delta['refusal'] === 'string') answer.refusal += choice.delta['refusal']
  answer.images.push(...listImages(choice.delta))
  answer.logProbabilities.push(...logProbabilitiesOf(choice))
  answer.toolCalls.push(...(choice.delta.tool_calls ?? []))
  answer.finish = choice.finish_reason ?? answer.finish
}

export function toCollected(answer: CollectedFrames, model: string): ChatCompletion {
  const { content, reasoning, reasoningDetails, refusal, toolCalls, images, usage } = answer
  return {
    id: answer.head.id ?? `chatcmpl-${newId()}`,
    object: 'chat.completion',
    created: answer.head.created ?? nowSeconds(),
    model: answer.head.model ?? model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: content === '' && (toolCalls.length > 0 || refusal !== '') ? null : content,
          ...(reasoning !== '' && { reasoning_content: reasoning }),
          ...(reasoningDetails.length > 0 && { reasoning_details: reasoningDetails }),
          ...(refusal !== '' && { refusal }),
          ...(images.length > 0 && { images }),
          ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
        },
        finish_reason: answer.finish ?? 'stop',
        ...toLogProbabilities(answer.logProbabilities),
      },
    ],
    ...(usage && { usage }),
  }
}

/** Collects a whole answer from frames, for upstreams that are always asked for a stream. */
export async function collectCompletion(
  frames: AsyncIterable<CompletionFrame>,
  call: { model: string; signal: AbortSignal },
): Promise<ChatCompletion> {
  const answer = newAnswer()
  const room = new AnswerRoom()
  try {
    for await (const frame of frames) {
      if (isErrorFrame(frame)) throw toThrown(frame)
      room.take(countUnits(frame))
      addFrame(answer, frame)
    }
  } finally {
    room.release()
  }
  requireCaller(call.signal)
  return toCollected(answer, call.model)
}
