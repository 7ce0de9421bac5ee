import { ServiceError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Message } from './frames.ts'

/** Answers what plugin code asks the gateway for. */
export type AnswerRequest = (
  method: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<unknown> | AsyncIterable<unknown>

interface OpenRequest {
  readonly controller: AbortController
  credit: number
  wake: () => void
}

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

function toError(error: unknown): Record<string, unknown> {
  if (error instanceof ServiceError) return { type: 'ServiceError', message: error.message, status: error.status }
  if (error instanceof Error) return { type: error.name, message: error.message }
  return { type: 'Error', message: String(error) }
}

/** The requests of one worker that wait for an answer (PROTOCOL.md, Requests of the worker). */
export function createAnswering(send: (message: Message) => void, findAnswerer: (message: Message) => AnswerRequest | null) {
  const open = new Map<number, OpenRequest>()

  async function sendItems(id: number, request: OpenRequest, items: AsyncIterable<unknown>): Promise<void> {
    for await (const item of items) {
      request.controller.signal.throwIfAborted()
      while (request.credit <= 0) {
        await new Promise<void>((resolve) => (request.wake = resolve))
        request.controller.signal.throwIfAborted()
      }
      request.credit -= 1
      send({ t: 'answer', id, items: [item] })
    }
  }

  async function answer(id: number, request: OpenRequest, message: Message): Promise<void> {
    try {
      const answerer = findAnswerer(message)
      if (!answerer) throw new Error('The call this belongs to has ended.')
      const params = isRecord(message['params']) ? message['params'] : {}
      const replied = answerer(String(message['method']), params, request.controller.signal)
      const value = isIterable(replied) ? replied : await replied
      if (isIterable(value)) await sendItems(id, request, value)
      if (open.has(id)) send({ t: 'answer', id, value: isIterable(value) ? null : (value ?? null) })
    } catch (error) {
      if (open.has(id)) send({ t: 'answer', id, error: toError(error) })
    } finally {
      open.delete(id)
    }
  }

  function end(id: number): void {
    const request = open.get(id)
    open.delete(id)
    request?.controller.abort()
    request?.wake()
  }

  return {
    begin(message: Message): void {
      const id = Number(message['id'])
      const request: OpenRequest = {
        controller: new AbortController(),
        credit: typeof message['credit'] === 'number' ? message['credit'] : 0,
        wake: () => undefined,
      }
      open.set(id, request)
      void answer(id, request, message)
    },
    credit(message: Message): void {
      const request = open.get(Number(message['request']))
      if (!request) return
      request.credit += Number(message['n']) || 0
      request.wake()
    },
    abandon: end,
    close(): void {
      for (const id of open.keys()) end(id)
    },
  }
}
