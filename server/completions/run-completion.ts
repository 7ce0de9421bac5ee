import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Caller } from '../lib/http.ts'
import { toServiceError } from '../lib/to-error.ts'
import { meantPlace, type ResolvedModel } from '../models/index.ts'
import type { CompletionFrame } from '../providers/index.ts'
import { answerStateless } from './answer-stateless.ts'
import { deliver, type CompletionCall, type OpenRun } from './deliver.ts'
import { deliverFanOut } from './deliver-fan-out.ts'
import { createExchange, noFindings, type Exchange } from './exchange.ts'
import { findPlace, toSingleTarget, toTargets, type Place, type Target } from './find-place.ts'
import { generate } from './generate.ts'
import { runBackgroundWork, type BackgroundWish } from './generation/run-background-work.ts'
import type { CompletionsParts } from './index.ts'
import { openTurns, type NamedTarget, type Turn } from './open-turn.ts'
import { runInlineOutlet } from './outlet.ts'
import { keepReceived } from './pictures/keep-received.ts'
import { prepareStateless } from './prepare-stateless.ts'
import { prepareRequest } from './prepare.ts'
import { requirePermitted } from './require-permitted.ts'
import type { FinishedRun } from './run-turn.ts'
import { separateReasoning } from './separate-reasoning.ts'
import { createSharedWork, type SharedWork } from './shared-work.ts'
import { readEntries, withoutRepeats } from './sources/entries.ts'
import { requireFew, requireFewFiles } from './sources/require-few-files.ts'
import { mayFetch, requireReadable } from './sources/readings.ts'
import { toReasoningTags } from './split-reasoning.ts'
import { toStepContext } from './step-context.ts'

type OpenPlace = Exclude<Place, { kind: 'stateless' }>

/**
 * One completion from request to reply. Models are resolved before a turn is opened, so that a
 * request for an unknown model leaves no placeholder behind.
 */
export async function runCompletion(
  parts: CompletionsParts,
  call: CompletionCall,
): Promise<unknown> {
  const { body, caller } = call
  requirePermitted(parts.groups, caller, body)
  requireSent(parts, caller, body)
  const targets = toTargets(body)
  if (targets.length > 0) {
    const place = findPlace(parts, caller, body)
    if (place.kind !== 'stateless') return runFanOut(parts, call, { place, targets })
  }
  const found = parts.models.resolve(caller, body.model, meantPlace(call))
  const resolved = found instanceof Promise ? await found : found
  const place = findPlace(parts, caller, body)
  const request = withPresetStream(body, resolved)
  if (place.kind === 'stateless') {
    return runStateless(parts, call, { request, resolved })
  }
  const [turn] = openTurns(parts, {
    caller,
    request: body,
    place,
    targets: [toNamed(toSingleTarget(body), resolved)],
  })
  const run = openRun(parts, { call, turn: turn!, resolved, wish: body.background_tasks ?? {} })
  return deliver(parts, { ...run, call, stream: request.stream === true })
}

/** Without a promise on the way, the call goes up within the same turn of the event loop. */
function runStateless(
  parts: CompletionsParts,
  call: CompletionCall,
  { request, resolved }: { request: ChatCompletionRequest; resolved: ResolvedModel },
): Promise<unknown> {
  const { caller, signal, notes } = call
  const prepared = prepareStateless(parts, {
    sent: request,
    caller,
    resolved,
    signal,
    notes,
    headers: call.request.headers,
  })
  if (!(prepared instanceof Promise)) return answerStateless({ ...prepared, call })
  return prepared.then(
    (ready) => answerStateless({ ...ready, call }),
    (error: unknown) => {
      // Whoever left while documents were read hears nothing any more.
      if (!signal.aborted) throw error
    },
  )
}

/**
 * What is attached has to be there before anything is written; nobody learns more than that it is
 * not.
 */
function requireSent(
  parts: CompletionsParts,
  caller: Caller,
  { files }: ChatCompletionRequest,
): void {
  if (parts.library && files && files.length > 0) {
    const entries = withoutRepeats(readEntries(files, true))
    requireFew(entries)
    requireFewFiles(parts.settings, entries)
    requireReadable(
      { library: parts.library, chats: parts.chats, caller, mayFetch: mayFetch(parts, caller) },
      entries,
    )
  }
}

/** A model may be preset to stream or not, whatever its callers wish. */
function withPresetStream(
  body: ChatCompletionRequest,
  { preset }: ResolvedModel,
): ChatCompletionRequest {
  const stream = body.params?.['stream_response'] ?? preset?.params['stream_response']
  return typeof stream === 'boolean' && stream !== body.stream ? { ...body, stream } : body
}

const toNamed = (target: Target, resolved: ResolvedModel | null): NamedTarget => ({
  ...target,
  modelName: resolved?.entry.name ?? target.modelId,
  selectedModelId: resolved?.selectedModelId ?? null,
})

/**
 * One question to several models. A model that cannot be asked spoils only its own answer, unless
 * that is all of them.
 */
async function runFanOut(
  parts: CompletionsParts,
  call: CompletionCall,
  { place, targets }: { place: OpenPlace; targets: readonly Target[] },
): Promise<unknown> {
  const { body, caller } = call
  const found = await Promise.allSettled(
    targets.map(async ({ modelId }) => parts.models.resolve(caller, modelId)),
  )
  const models = found.map((result) => (result.status === 'fulfilled' ? result.value : null))
  const failures = found.map((result) =>
    result.status === 'rejected' ? (result.reason as unknown) : null,
  )
  if (models.every((model) => model === null)) throw toServiceError(failures[0])
  const named = targets.map((target, index) => toNamed(target, models[index]!))
  const turns = openTurns(parts, { caller, request: body, place, targets: named })
  const wish = shareWish(body.background_tasks ?? {})
  const share = createSharedWork()
  const runs = turns.map((turn, index) => {
    const resolved = models[index]
    // Filters are told the model of their own answer.
    const own = { ...call, body: { ...body, model: targets[index]!.modelId } }
    const run = resolved
      ? openRun(parts, { call: own, turn, resolved, wish, share })
      : failedRun(turn, failures[index])
    return { ...run, modelId: targets[index]!.modelId }
  })
  return deliverFanOut(parts, call, runs)
}

/** The first answer to be complete names the chat; each has its own follow-up questions. */
function shareWish(wish: BackgroundWish): () => BackgroundWish {
  let isNamed = false
  return () => {
    if (isNamed) return { follow_up_generation: wish.follow_up_generation }
    isNamed = true
    return wish
  }
}

interface RunOptions {
  readonly call: CompletionCall
  readonly turn: Turn
  readonly resolved: ResolvedModel
  readonly share?: SharedWork
  /** What is to be written beside the answer; asked for when it is complete. */
  readonly wish: BackgroundWish | (() => BackgroundWish)
}

function openRun(
  parts: CompletionsParts,
  { call, turn, resolved, wish, share }: RunOptions,
): OpenRun {
  const { body, caller, notes } = call
  const { headers } = call.request
  const { signal } = turn.task
  const exchange = createExchange(parts, {
    caller,
    sent: body,
    resolved,
    turn,
    signal,
    headers,
    notes,
    ...(share && { share }),
  })
  const isNamed = turn.temporarySession === null && body.background_tasks?.title_generation === true
  const titleBefore = isNamed ? parts.chats.title(turn.chatId) : null
  return {
    turn,
    findings: exchange.findings,
    frames: writeFrames(parts, exchange),
    onFinished: (run) =>
      void followUp(parts, { caller, sent: body, turn, resolved, titleBefore, wish, run }),
  }
}

/**
 * Prepares when the first frame is asked for, so that failures of that end the run like those of
 * the provider.
 */
async function* writeFrames(
  parts: CompletionsParts,
  exchange: Exchange,
): AsyncGenerator<CompletionFrame, void, void> {
  const { sent } = exchange
  const preparing = prepareRequest(sent, toStepContext(parts, exchange))
  const request = preparing instanceof Promise ? await preparing : preparing
  const tags = toReasoningTags(
    sent.params?.['reasoning_tags'] ?? exchange.resolved.preset?.params['reasoning_tags'],
  )
  const frames = generate({ exchange, request, refine: (raw) => separateReasoning(raw, tags) })
  yield* parts.images ? keepReceived(parts.images, exchange, frames) : frames
}

/** What happens after an answer; nobody waits for it, and stopping the chat ends it. */
async function followUp(
  parts: CompletionsParts,
  {
    caller,
    sent,
    turn,
    resolved,
    titleBefore,
    wish,
    run,
  }: Omit<RunOptions, 'call' | 'share'> & {
    caller: Caller
    sent: ChatCompletionRequest
    titleBefore: string | null
    run: FinishedRun
  },
): Promise<void> {
  if (run.outcome.kind !== 'complete' || turn.temporarySession !== null) return
  const { userId, chatId, messageId } = turn
  const task = parts.tasks.start({ userId, chatId, messageId, kind: 'background' })
  const { signal } = task
  try {
    await runInlineOutlet(parts, caller, {
      turn,
      sent: { ...sent, model: resolved.publicId },
      signal,
    })
    if (signal.aborted) return
    await runBackgroundWork(parts, typeof wish === 'function' ? wish() : wish, {
      turn,
      caller,
      resolved,
      titleBefore,
      signal,
    })
  } finally {
    task.finish()
    if (run.notice !== null) parts.notices?.release(run.notice)
  }
}

const failedRun = (turn: Turn, reason: unknown): OpenRun => ({
  turn,
  findings: noFindings(),
  frames: failing(reason),
  onFinished: () => undefined,
})

// oxlint-disable-next-line require-yield -- an answer that fails before its first piece
async function* failing(reason: unknown): AsyncGenerator<CompletionFrame, void, void> {
  throw toServiceError(reason)
}
