import { z } from '#contract/lazy-zod.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import { badRequest, ServiceError, timedOut } from '../../lib/errors.ts'
import type { HostRequest } from '../host-request.ts'
import type { ModelQuestion } from '../../extensions/model-question.ts'
import type { HostParts } from './dependencies.ts'
import { inTime } from './in-time.ts'
import { readParams, requirePerson, type HostMethod } from './method.ts'

/** Maximum nesting of pipes that call pipes; ends the recursion of one that calls itself. */
const MOST_NESTED = 8
const LIST_MILLISECONDS = 3000
const listIsLate = (): Error => timedOut('The list of models was not ready in time. Try again.')
const depths = new WeakMap<CallOrigin, number>()

const paramsSchema = z.object({
  body: z.record(z.string(), z.unknown()),
  task: z.string().max(100).nullish(),
  bypass_system_prompt: z.boolean().optional(),
})
const embedSchema = z.object({ texts: z.array(z.string().max(1_000_000)).max(2048) })

/**
 * The question belongs to the answer the plugin takes part in; events of the pipes it calls go
 * there.
 */
function toQuestion(request: HostRequest): ModelQuestion {
  const caller = requirePerson(request)
  const { body, task, bypass_system_prompt: isBare = false } = readParams(paramsSchema, request)
  const parent = request.origin
  const depth = (parent ? (depths.get(parent) ?? 0) : 0) + 1
  if (depth > MOST_NESTED)
    throw badRequest('These models ask each other in a circle.', { code: 'asked_in_circle' })
  const origin: CallOrigin = {
    caller,
    sent: { ...body } as CallOrigin['sent'],
    task: task ?? parent?.task ?? null,
    chatId: parent?.chatId ?? null,
    messageId: parent?.messageId ?? null,
    sessionId: parent?.sessionId ?? null,
    signal: request.signal,
    tell: (event) => parent?.tell(event),
    allTold: async () => parent?.allTold(),
    ask: (event) =>
      parent
        ? parent.ask(event)
        : Promise.reject(new Error('There is no open window that could answer.')),
  }
  depths.set(origin, depth)
  return { origin, body, isBare }
}

async function* streamChunks(
  { later }: HostParts,
  question: ModelQuestion,
): AsyncGenerator<unknown> {
  let hasBegun = false
  for await (const frame of later.rooms.askModel.stream({
    ...question,
    body: { ...(question.body as object), stream: true },
  })) {
    if ('choices' in frame || !('error' in frame)) yield frame
    else {
      const { message, code, status } = frame.error as {
        message: string
        code: string
        status: number
      }
      if (!hasBegun) throw new ServiceError(status, message, { code })
      yield { error: { message, detail: message, code } }
    }
    hasBegun = true
  }
}

export const completionMethods = (parts: HostParts): Readonly<Record<string, HostMethod>> => ({
  completion: (request) => {
    const question = toQuestion(request)
    return parts.later.rooms.askModel.complete({
      ...question,
      body: { ...(question.body as object), stream: false },
    })
  },
  'completion.stream': (request) => streamChunks(parts, toQuestion(request)),
  'models.list': (request) =>
    inTime(parts.later.rooms.models.list(requirePerson(request)), LIST_MILLISECONDS, listIsLate),
  embed: (request) => {
    requirePerson(request)
    const { texts } = readParams(embedSchema, request)
    return texts.length === 0 ? [] : parts.retrieval.embed(texts, request.signal)
  },
})
