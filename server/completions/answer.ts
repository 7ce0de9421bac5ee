import type { ChatCompletion, ChatCompletionChunk } from '#contract/completions.ts'
import { normalizeUsage } from './normalize-usage.ts'

type ToolCall = NonNullable<ChatCompletion['choices'][number]['message']['tool_calls']>[number]

/** The answer a run has collected so far. Offsets and lengths are UTF-16 units. */
export interface Answer {
  readonly content: string
  readonly reasoning: string
  /** Seconds from the first piece of reasoning to the first piece of the answer; null without reasoning. */
  readonly reasoningSeconds: number | null
  /** Seconds from the request to the end of the answer. */
  readonly seconds: number
  readonly toolCalls: readonly ToolCall[]
  readonly usage: Record<string, unknown> | null
  readonly finishReason: string | null
  readonly upstreamId: string | null
  /** Length of everything the model wrote, arguments of tool calls included. */
  readonly size: number
  append(chunk: ChatCompletionChunk): void
  /** Stops the clocks. */
  close(): void
}

/** More than any model asks for at once; what a broken one sends beyond it is dropped. */
const MAX_TOOL_CALLS = 1000

export function createAnswer(now: () => number = () => performance.now()): Answer {
  const start = now()
  let end: number | null = null
  let content = ''
  let reasoning = ''
  let reasoningStart: number | null = null
  let reasoningEnd: number | null = null
  let usage: Record<string, unknown> | null = null
  let finishReason: string | null = null
  let upstreamId: string | null = null
  const toolCalls: ToolCall[] = []
  let argumentUnits = 0

  return {
    get content() {
      return content
    },
    get reasoning() {
      return reasoning
    },
    get reasoningSeconds() {
      return reasoningStart === null ? null : toSeconds((reasoningEnd ?? now()) - reasoningStart)
    },
    get seconds() {
      return toSeconds((end ?? now()) - start)
    },
    toolCalls,
    get usage() {
      return usage
    },
    get finishReason() {
      return finishReason
    },
    get upstreamId() {
      return upstreamId
    },
    get size() {
      return content.length + reasoning.length + argumentUnits
    },
    append(chunk) {
      upstreamId ??= chunk.id ?? null
      if (chunk.usage) usage = normalizeUsage(chunk.usage)
      const choice = chunk.choices[0]
      if (!choice) return
      const { delta } = choice
      if (typeof delta.reasoning_content === 'string' && delta.reasoning_content !== '') {
        reasoning += delta.reasoning_content
        reasoningStart ??= now()
      }
      if (typeof delta.content === 'string' && delta.content !== '') {
        content += delta.content
        if (reasoningStart !== null) reasoningEnd ??= now()
      }
      for (const call of delta.tool_calls ?? []) {
        mergeToolCall(toolCalls, call)
        argumentUnits += call.function?.arguments?.length ?? 0
      }
      finishReason = choice.finish_reason ?? finishReason
    },
    close() {
      end ??= now()
      if (reasoningStart !== null) reasoningEnd ??= now()
    },
  }
}

const toSeconds = (milliseconds: number): number => Math.round(milliseconds / 100) / 10

/** Pieces of one call share its index; the arguments grow piece by piece. */
function mergeToolCall(calls: ToolCall[], piece: ToolCall): void {
  const known = calls.find((call) => call.index !== undefined && call.index === piece.index)
  if (!known) {
    if (calls.length === MAX_TOOL_CALLS) return
    calls.push(structuredClone(piece))
    return
  }
  if (piece.id) known.id = piece.id
  if (!piece.function) return
  const { name, arguments: more } = piece.function
  known.function ??= {}
  if (name) known.function.name = name
  if (more) known.function.arguments = (known.function.arguments ?? '') + more
}
