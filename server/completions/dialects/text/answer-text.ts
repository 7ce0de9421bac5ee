import type { ChatCompletionChunk } from '#contract/completions.ts'
import type {
  textCompletionEndpoints,
  TextCompletion,
  TextCompletionRequest,
} from '#contract/text-completions.ts'
import type { HttpCall } from '../../../lib/http.ts'
import { newId, nowSeconds } from '../../../lib/ids.ts'
import { toServiceError } from '../../../lib/serving/to-error.ts'
import type { ResolvedModel } from '../../../extensions/resolved-model.ts'
import { meantPlace } from '../../../models/index.ts'
import {
  stripGatewayFields,
  type CompletionCall,
  type CompletionFrame,
  type ErrorFrame,
  type TextUpstream,
} from '../../../providers/index.ts'
import { toFrameError } from '../../deliver/collect-answer.ts'
import type { Exchange } from '../../exchange.ts'
import { isPlain, type Prepared } from '../../prepare/prepare-stateless.ts'
import { createSseWriter } from '../../deliver/sse-writer.ts'
import { createUsageSum } from '../../tools/sum-usage.ts'
import { wantsUsage } from '../../deliver/usage-frames.ts'
import { DONE_FRAME, toErrorFrame, toSseFrame } from '../chat-completions.ts'
import { completeStateless, generateStateless } from '../../deliver/collect-answer.ts'
import type { DialectParts } from '../stateless-call.ts'
import { fromChunk, fromCompletion } from './convert-answer.ts'
import {
  noteAsConversation,
  noteSingles,
  readPrompts,
  requireNoSuffix,
  toChatRequest,
  toPrompt,
  toSinglePrompts,
  toTextRequest,
} from './convert-request.ts'

export type TextCall = HttpCall<typeof textCompletionEndpoints.create>

/**
 * One model call; an answer to several prompts consists of several calls if the model takes one
 * prompt at a time.
 */
interface Asking {
  /** Text the caller wants repeated before the answer. */
  readonly echo: string
  stream(): AsyncGenerator<CompletionFrame, void, void>
  complete(): Promise<TextCompletion>
}

/** Prepared request for one prompt. */
interface Plan {
  readonly prepared: Prepared
  /**
   * Null if the prompt has to be sent as a conversation: filters read the answer, something was
   * added to the prompt, or the model supports only conversations.
   */
  readonly native: { readonly text: TextUpstream; readonly prompt: string } | null
  /** True if the gateway changed nothing. */
  readonly isUntouched: boolean
}

type MakePlan = (prompt: string) => Promise<Plan>

/**
 * Completes text (specification, Resources). Providers and runtimes receive the request in the same
 * format; if filters, instructions or another format are involved, each prompt becomes a
 * conversation of one message. A disconnect of the caller cancels the upstream request.
 */
export async function answerText(parts: DialectParts, call: TextCall): Promise<unknown> {
  const { body, caller, signal } = call
  const resolved = await parts.models.resolve(caller, body.model, meantPlace(call))
  const prompts = readPrompts(body)
  const planned: Exchange[] = []
  const open = new Set<Exchange>()
  const plan: MakePlan = async (prompt) => {
    const made = await makePlan(parts, call, { resolved, prompt })
    planned.push(made.prepared.exchange)
    open.add(made.prepared.exchange)
    if (!made.native) {
      requireNoSuffix(body)
      if (call.notes) noteAsConversation(call.notes, body)
    }
    return made
  }
  try {
    const plans = []
    for (const prompt of prompts ?? ['']) plans.push(await plan(prompt))
    const askings = toAskings(call, {
      prompts,
      plans,
      plan,
      begin: (exchange) => open.delete(exchange),
    })
    return body.stream ? await sendStream(call, askings) : await toWhole(call, askings)
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    for (const exchange of open) exchange.closeFilters()
    for (const { lifetime } of planned) lifetime.end()
  }
}

async function makePlan(
  parts: DialectParts,
  { body, caller, signal, notes, request: { headers } }: TextCall,
  { resolved, prompt }: { resolved: ResolvedModel; prompt: string },
): Promise<Plan> {
  const converted = toChatRequest(body, prompt)
  const prepared = await parts.prepare(converted, { caller, resolved, signal, notes, headers })
  const { request, exchange } = prepared
  const { text } = exchange.resolved.provider
  const changed = text && isPlain(exchange) ? toPrompt(request) : null
  const native = text && changed !== null ? { text, prompt: changed } : null
  return { prepared, native, isUntouched: native !== null && request === converted }
}

interface Planned {
  /** Null for prompts given as tokens. */
  readonly prompts: readonly string[] | null
  /** One for each prompt. */
  readonly plans: readonly Plan[]
  readonly plan: MakePlan
  /** Called for each answer that closes its filters itself. */
  readonly begin: (exchange: Exchange) => void
}

function toAskings(call: TextCall, { prompts, plans, plan, begin }: Planned): readonly Asking[] {
  const { body, signal, notes } = call
  const [first] = plans
  const many = first?.native?.text
  if (many?.takesMany && plans.every(({ isUntouched }) => isUntouched)) {
    const { exchange } = first!.prepared
    const asked = {
      model: exchange.resolved.model.id,
      body: stripGatewayFields(body),
      signal,
      origin: exchange,
      notes,
    }
    return [{ echo: '', stream: () => many.stream(asked), complete: () => many.complete(asked) }]
  }
  const singles = toSinglePrompts(body, prompts)
  if (notes) noteSingles(notes, body)
  const copies = singles.length / plans.length
  return singles.map((prompt, place) => {
    // Every further answer to the same prompt passes through the filters again.
    const take = async (): Promise<Plan> => {
      const made = place % copies === 0 ? plans[place / copies]! : await plan(prompt)
      const { exchange } = made.prepared
      if (!made.native && exchange.filters.length > 0) begin(exchange)
      return made
    }
    return {
      echo: body.echo ? prompt : '',
      async *stream() {
        const { prepared, native } = await take()
        yield* native
          ? native.text.stream(toTextCall(body, prepared, native.prompt))
          : generateStateless(prepared)
      },
      async complete() {
        const { prepared, native } = await take()
        return native
          ? native.text.complete(toTextCall(body, prepared, native.prompt))
          : fromCompletion(await completeStateless(prepared))
      },
    }
  })
}

const toTextCall = (
  body: TextCompletionRequest,
  { request, exchange }: Prepared,
  prompt: string,
): CompletionCall => ({
  model: exchange.resolved.model.id,
  body: stripGatewayFields(toTextRequest(body, request, prompt)),
  signal: exchange.signal,
  origin: exchange,
  notes: exchange.notes,
})

const toHead = (model: string) => ({
  id: `cmpl-${newId()}`,
  object: 'text_completion',
  created: nowSeconds(),
  model,
})

/** Combines the whole answers into one, with the choices in the order of the prompts. */
async function toWhole({ body }: TextCall, askings: readonly Asking[]): Promise<TextCompletion> {
  const usage = createUsageSum()
  const answers: TextCompletion[] = []
  for (const asking of askings) {
    const answer = await asking.complete()
    if (answer.usage) usage.tell(answer.usage)
    usage.endRound()
    answers.push({
      ...answer,
      choices: answer.choices.map((choice) => ({ ...choice, text: asking.echo + choice.text })),
    })
  }
  const [only, other] = answers
  const choices = other
    ? answers.flatMap((answer) => answer.choices).map((choice, index) => ({ ...choice, index }))
    : only!.choices
  const total = usage.total()
  return {
    ...toHead(body.model),
    ...only,
    object: 'text_completion',
    choices,
    ...(total && { usage: total }),
  }
}

/**
 * Streams the answers one after the other. Rejects with an error that occurs before the first
 * chunk; a later error is sent as the last event.
 */
async function sendStream(
  { body, response, signal }: TextCall,
  askings: readonly Asking[],
): Promise<undefined> {
  const writer = createSseWriter(response)
  const head = toHead(body.model)
  const usage = createUsageSum()
  try {
    for (const [offset, asking] of askings.entries()) {
      let before = asking.echo
      for await (const frame of asking.stream()) {
        if (!('choices' in frame)) throw toFrameError(frame as ErrorFrame)
        const chunk = frame as ChatCompletionChunk
        if (chunk.usage) usage.tell(chunk.usage)
        const choices = fromChunk(chunk).map((choice) => ({
          ...choice,
          index: choice.index + offset,
          text: before + choice.text,
        }))
        if (choices.length === 0) continue
        before = ''
        if (!writer.send(toSseFrame({ ...head, choices }))) await writer.drained()
      }
      usage.endRound()
    }
    const total = usage.total()
    if (total && wantsUsage(body.stream_options))
      writer.send(toSseFrame({ ...head, choices: [], usage: total }))
  } catch (error) {
    if (!writer.hasBegun || signal.aborted) throw error
    writer.send(toErrorFrame(toServiceError(error)))
  }
  writer.end(DONE_FRAME)
}
