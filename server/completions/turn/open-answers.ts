import type { IncomingHttpHeaders } from 'node:http'
import { mapInOrder } from '../../lib/in-order.ts'
import { toServiceError } from '../../lib/serving/to-error.ts'
import type { ResolvedModel } from '../../extensions/resolved-model.ts'
import { meantPlace } from '../../models/index.ts'
import type { CompletionCall } from '../completion-call.ts'
import { createExchange } from '../exchange.ts'
import { toSingleTarget, type Place, type Target } from './find-place.ts'
import type { BackgroundWish } from '../follow-up/run-background-work.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { openTurns, type NamedTarget, type Turn } from './open-turn.ts'
import { createSharedWork, type SharedWork } from './shared-work.ts'
import type { OpenAnswer } from './open-answer.ts'

/** Destination of an answer owned by the gateway. */
export type OwnedPlace = Exclude<Place, { kind: 'stateless' }>

/** Parts of the requesting call that an answer needs. */
export type AskingCall = Pick<CompletionCall, 'body' | 'caller' | 'notes'> & {
  readonly request: { readonly headers: IncomingHttpHeaders }
}

/** Opens the single answer of an ordinary request. */
export async function openAnswer(
  parts: CompletionsParts,
  call: AskingCall,
  { place, resolved }: { place: OwnedPlace; resolved: ResolvedModel },
): Promise<OpenAnswer> {
  const { body, caller } = call
  const targets = [toNamed(toSingleTarget(body), resolved)]
  const [turn] = await openTurns(parts, { caller, request: body, place, targets })
  const wish = () => body.background_tasks ?? {}
  return toOpenAnswer(parts, { call, turn: turn!, resolved, wish })
}

/**
 * Opens an answer for each requested model. A model that cannot be asked affects only its own
 * answer, unless none can be asked: then nothing is opened, and the first error is thrown.
 */
export async function openAnswers(
  parts: CompletionsParts,
  call: CompletionCall,
  { place, targets }: { place: OwnedPlace; targets: readonly Target[] },
): Promise<OpenAnswer[]> {
  const { body, caller } = call
  const models = await Promise.all(
    targets.map(({ modelId }) => resolveOrError(parts, call, modelId)),
  )
  const [first] = models
  if (first instanceof Error && models.every((model) => model instanceof Error)) throw first
  const named = targets.map((target, index) => toNamed(target, models[index]!))
  const turns = await openTurns(parts, { caller, request: body, place, targets: named })
  const wish = shareWish(body.background_tasks ?? {})
  const share = createSharedWork()
  return await mapInOrder(turns, async (turn, index) => {
    const { modelId } = targets[index]!
    // Filters receive the model of their own answer.
    const own = { ...call, body: { ...body, model: modelId } }
    return toOpenAnswer(parts, { call: own, turn, resolved: models[index]!, wish, share })
  })
}

const resolveOrError = async (
  { models }: CompletionsParts,
  { caller }: CompletionCall,
  modelId: string,
): Promise<ResolvedModel | Error> => {
  try {
    return await models.resolve(caller, modelId)
  } catch (error) {
    return toServiceError(error)
  }
}

/** Returns no promise if the model is known, so that a plain call is sent at once. */
export const resolveAsked = (
  { models }: CompletionsParts,
  call: CompletionCall,
): ResolvedModel | Promise<ResolvedModel> =>
  models.resolve(call.caller, call.body.model, meantPlace(call))

const toNamed = (target: Target, resolved: ResolvedModel | Error): NamedTarget =>
  resolved instanceof Error
    ? { ...target, modelName: target.modelId, selectedModelId: null }
    : {
        ...target,
        modelName: resolved.entry.name,
        selectedModelId: resolved.selectedModelId ?? null,
      }

interface Opening {
  readonly call: AskingCall
  readonly turn: Turn
  readonly resolved: ResolvedModel | Error
  readonly wish: OpenAnswer['wish']
  readonly share?: SharedWork
}

async function toOpenAnswer(
  parts: CompletionsParts,
  { call, turn, resolved, wish, share }: Opening,
): Promise<OpenAnswer> {
  const { body, caller, notes, request } = call
  if (notes) notes.isOwned = true
  const isNamed = turn.temporarySession === null && body.background_tasks?.title_generation === true
  return {
    turn,
    modelId: body.model,
    exchange:
      resolved instanceof Error
        ? resolved
        : createExchange(parts, {
            caller,
            sent: body,
            resolved,
            turn,
            signal: turn.task.signal,
            headers: request.headers,
            notes,
            ...(share && { share }),
          }),
    titleBefore: isNamed ? await parts.chats.title(turn.chatId) : null,
    wish,
  }
}

/**
 * Shares a wish among several answers: only the first complete one names the chat; each has its own
 * follow-up questions.
 */
function shareWish(wish: BackgroundWish): () => BackgroundWish {
  let isNamed = false
  return () => {
    if (isNamed) return { follow_up_generation: wish.follow_up_generation }
    isNamed = true
    return wish
  }
}
