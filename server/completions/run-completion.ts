import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Caller } from '../lib/http.ts'
import type { ResolvedModel } from '../extensions/resolved-model.ts'
import { answerStateless } from './deliver/answer-stateless.ts'
import { deliver, toIdle } from './deliver/deliver.ts'
import type { CompletionCall } from './completion-call.ts'
import { deliverFanOut } from './deliver/deliver-fan-out.ts'
import { findPlace, toTargets } from './turn/find-place.ts'
import type { CompletionsParts } from './completions-parts.ts'
import { openAnswer, openAnswers, resolveAsked } from './turn/open-answers.ts'
import { prepareStateless } from './prepare/prepare-stateless.ts'
import { requirePermitted } from './turn/require-permitted.ts'
import { readEntries, withoutRepeats } from './sources/entries.ts'
import { requireFew, requireFewFiles } from './sources/require-few-files.ts'
import { mayFetch, requireReadable } from './sources/readings.ts'

/**
 * Runs one completion from request to reply. An answer owned by the gateway is opened, then
 * delivered while it is written (`write-answer.ts`: prepare, generate, collect, finish, follow up);
 * a stateless one is prepared and answered. Models are resolved before anything is opened, so that
 * a request for an unknown model leaves no placeholder behind.
 */
export async function runCompletion(
  parts: CompletionsParts,
  call: CompletionCall,
): Promise<unknown> {
  const { body, caller } = call
  // Only promises are awaited, so that an ordinary call is sent within the same turn.
  const permitted = requirePermitted(parts.groups, caller, body)
  if (permitted) await permitted
  const readable = requireSent(parts, caller, body)
  if (readable) await readable
  const targets = toTargets(body)
  const counted = parts.countMessages?.(caller, Math.max(1, targets.length))
  if (counted) await counted
  if (targets.length > 0) {
    const place = await findPlace(parts, caller, body)
    if (place.kind !== 'stateless' && place.kind !== 'idle')
      return deliverFanOut(parts, call, await openAnswers(parts, call, { place, targets }))
  }
  const found = resolveAsked(parts, call)
  const resolved = found instanceof Promise ? await found : found
  const foundPlace = findPlace(parts, caller, body)
  const place = foundPlace instanceof Promise ? await foundPlace : foundPlace
  const request = withPresetStream(body, resolved)
  if (place.kind === 'idle') return toIdle(place.chatId)
  if (place.kind === 'stateless') return runStateless(parts, call, { request, resolved })
  const opened = await openAnswer(parts, call, { place, resolved })
  return deliver(parts, { call, opened, stream: request.stream === true })
}

/**
 * Answers a stateless call. Without a promise in the preparation, it is sent within the same turn
 * of the event loop.
 */
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
      // A caller that disconnected while documents were read receives no error.
      if (!signal.aborted) throw error
    },
  )
}

/**
 * Checks before anything is written that attached files exist and are readable; the error does not
 * distinguish the two.
 */
function requireSent(
  parts: CompletionsParts,
  caller: Caller,
  { files }: ChatCompletionRequest,
): Promise<void> | void {
  const { library } = parts
  if (library && files && files.length > 0)
    return requireFiles({ ...parts, library }, caller, files)
}

async function requireFiles(
  parts: CompletionsParts & Required<Pick<CompletionsParts, 'library'>>,
  caller: Caller,
  files: NonNullable<ChatCompletionRequest['files']>,
): Promise<void> {
  const { library, chats } = parts
  const entries = withoutRepeats(readEntries(files, true))
  requireFew(entries)
  requireFewFiles(parts.settings, entries)
  await requireReadable(
    { library, chats, caller, mayFetch: await mayFetch(parts, caller) },
    entries,
  )
}

/** Applies the preset of a model for streaming, which overrides the caller's `stream`. */
function withPresetStream(
  body: ChatCompletionRequest,
  { preset }: ResolvedModel,
): ChatCompletionRequest {
  const stream = body.params?.['stream_response'] ?? preset?.params['stream_response']
  return typeof stream === 'boolean' && stream !== body.stream ? { ...body, stream } : body
}
