import type { ChatCompletionRequest } from '#contract/completions.ts'
import { newId } from '../../lib/ids.ts'
import { readInnerJson } from '../../lib/json/inner-json.ts'
import type { CompletionFrame } from '../../providers/index.ts'
import { createCallTracker, type StreamedCall } from '../dialects/streamed-calls.ts'
import type { Exchange } from '../exchange.ts'
import type { ToolBelt } from '../../extensions/tool-belt.ts'
import { callTools, type FinishedCall } from './call-tools.ts'
import { toTextItem } from './output-items.ts'
import { parseArguments } from './parse-arguments.ts'
import { newRound, readRound, type Round } from './read-round.ts'
import { renderCall } from './render-call.ts'
import { createUsageSum } from './sum-usage.ts'

type Frames = AsyncGenerator<CompletionFrame, void, void>

export interface ToolLoopOptions {
  readonly exchange: Exchange
  readonly belt: ToolBelt
  readonly request: ChatCompletionRequest
  /** Asks the model once. */
  readonly open: (request: ChatCompletionRequest) => Frames
}

/** Result of one round of a model. */
interface ToolRound extends Round {
  readonly calls: StreamedCall[]
}

/**
 * Lets a model use tools: its calls are run, their results fed back, and the model is asked again
 * until it answers without a call. All rounds are emitted as the chunks of one answer. In a chat
 * each call is shown as a collapsed block between the texts of the rounds.
 */
export async function* runToolLoop(options: ToolLoopOptions): Frames {
  const { exchange, belt } = options
  const usage = createUsageSum()
  let { request } = options
  let round = newToolRound()
  try {
    for (let count = 0; ; count += 1) {
      const isLast = count >= exchange.maxRounds()
      round = newToolRound()
      yield* readToolRound(
        options.open(isLast ? { ...request, tool_choice: 'none' } : request),
        round,
        usage,
      )
      if (round.hasFailed) return
      if (round.calls.length === 0 || isLast) break
      const calls = round.calls.map(({ id, name, arguments: text }) => ({ id, name, text }))
      const run = { signal: exchange.signal, messages: request.messages }
      const finished = await callTools(exchange, belt, calls, run)
      keepRound(exchange, round.text, finished)
      const kept = round
      round = newToolRound()
      if (exchange.signal.aborted) return
      yield* showRound(exchange, kept, finished)
      request = { ...request, messages: [...request.messages, ...toMessages(kept.text, finished)] }
    }
    const isApart = exchange.resolved.provider.abilities.countsApart
    yield* endFrames(round, { usage: usage.total(), isCut: round.calls.length > 0, isApart })
  } finally {
    if (exchange.findings.output.length > 0 && round.text !== '')
      exchange.findings.output.push(toTextItem(round.text))
    await belt.close?.()
  }
}

const newToolRound = (): ToolRound => ({ ...newRound(), calls: [] })

/** Reads a round and holds back its tool calls. */
function readToolRound(
  frames: Frames,
  round: ToolRound,
  usage: ReturnType<typeof createUsageSum>,
): Frames {
  const tracker = createCallTracker(() => `call_${newId()}`)
  return readRound(frames, round, {
    usage,
    read({ tool_calls: pieces, ...delta }) {
      for (const piece of pieces ?? []) {
        const progress = tracker.read(piece)
        if (progress?.isNew) round.calls.push(progress.call)
      }
      return delta
    },
  })
}

/** Yields the content between the texts of two rounds. */
function* showRound(
  exchange: Exchange,
  { text, end }: Round,
  finished: readonly FinishedCall[],
): Generator<CompletionFrame, void, void> {
  const gap = text === '' || text.endsWith('\n\n') ? '' : '\n\n'
  // API clients parse the text of a stateless answer, and a call block in it would be noise to
  // them.
  const content = exchange.turn === null ? gap : `${gap}${finished.map(renderCall).join('')}\n`
  if (content !== '')
    yield { ...end, choices: [{ index: 0, delta: { content }, finish_reason: null }] }
}

/** Records the output of a round, and sends the user the files and sources of its tools. */
function keepRound(exchange: Exchange, text: string, finished: readonly FinishedCall[]): void {
  const { output } = exchange.findings
  if (text !== '') output.push(toTextItem(text))
  for (const { call } of finished) {
    output.push({
      type: 'function_call',
      id: call.id,
      call_id: call.id,
      name: call.name,
      arguments: call.text,
      status: 'completed',
    })
  }
  for (const { call, result } of finished) {
    const extra = {
      ...(result.files?.length && { files: result.files }),
      ...(result.embeds?.length && { embeds: result.embeds }),
    }
    output.push({
      type: 'function_call_output',
      id: `${call.id}_output`,
      call_id: call.id,
      output: [{ type: 'input_text', text: result.text }],
      ...extra,
      status: result.isError ? 'incomplete' : 'completed',
    })
    if (result.files?.length) exchange.tell({ type: 'files', data: { files: result.files } })
    if (result.sources?.length) exchange.addSources(result.sources)
  }
}

/** Returns the round as messages for the model. */
const toMessages = (
  text: string,
  finished: readonly FinishedCall[],
): ChatCompletionRequest['messages'] => [
  {
    role: 'assistant',
    content: text,
    tool_calls: finished.map(({ call: { id, name, text: args } }) => ({
      id,
      type: 'function',
      function: { name, arguments: toSafeJson(args) },
    })),
  },
  ...finished.map(({ call, result }) => ({
    role: 'tool',
    tool_call_id: call.id,
    content: result.text,
  })),
]

/** Upstreams reject a conversation with malformed arguments, even the model's own. */
function toSafeJson(text: string): string {
  return readInnerJson(text) ? text : JSON.stringify(parseArguments(text) ?? {})
}

interface End {
  readonly usage: Record<string, unknown> | null
  /** True if the model still wanted to call tools. */
  readonly isCut: boolean
  /**
   * True if the token counts are sent in a separate frame, as by a provider that was asked for
   * them.
   */
  readonly isApart: boolean
}

/** Yields the last frames of an answer of several rounds. */
export function* endFrames(
  { end }: Pick<Round, 'end'>,
  { usage, isCut, isApart }: End,
): Generator<CompletionFrame, void, void> {
  const rides = end !== null && usage !== null && !isApart
  if (end) {
    const [choice] = end.choices
    const choices = [{ ...choice!, finish_reason: isCut ? 'length' : choice!.finish_reason }]
    yield { ...end, choices, ...(rides && { usage }) }
  }
  if (usage && !rides) yield { ...end, choices: [], usage }
}
