import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendPieces } from '../../lib/serving/send-pieces.ts'
import { toDisposition } from '../../lib/serving/to-disposition.ts'
import type { ChatContext } from '../chat-context.ts'
import { openChats } from '../reading/open-chats.ts'
import { readChat } from '../reading/read-chat.ts'

/**
 * Yields whole chats by their ids, piece by piece; omits one that is deleted meanwhile and a null,
 * which only lets other requests run.
 */
export async function* readChats(
  context: ChatContext,
  ids: Iterable<string | null> | AsyncIterable<string | null>,
  between = ',',
): AsyncGenerator<string> {
  let isFirst = true
  for await (const chat of openChats(context, ids)) {
    if (chat === null) {
      yield ''
      continue
    }
    if (!isFirst) yield between
    yield* readChat(context, chat.record.id, chat)
    isFirst = false
  }
}

/** Wraps the elements of a JSON array in brackets. */
export async function* inBrackets(
  pieces: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  yield '['
  yield* pieces
  yield ']'
}

async function* asLines(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let isEmpty = true
  for await (const piece of pieces) {
    yield piece
    isEmpty = false
  }
  if (!isEmpty) yield '\n'
}

/** Headers of a response: its media type and, for a download, the name of the file. */
export interface ReplyForm {
  readonly type: string
  readonly fileName?: string
}

/** Sends a text that is generated while it is sent. */
export function sendMade(
  response: ServerResponse,
  pieces: Iterable<string> | AsyncIterable<string>,
  { type, fileName }: ReplyForm,
): Promise<void> {
  const headers = {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    ...(fileName !== undefined && { 'Content-Disposition': toDisposition(fileName) }),
  }
  const begin = (): void => void response.writeHead(200, headers)
  return sendPieces(response, pieces, {
    begin,
    send: (text) => {
      begin()
      response.end(text)
    },
  })
}

/** Sends whole chats as an array, or one per line to clients that accept NDJSON. */
export function sendChats(
  context: ChatContext,
  ids: Iterable<string | null> | AsyncIterable<string | null>,
  call: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const wantsLines = (call.request.headers.accept ?? '').includes('ndjson')
  return wantsLines
    ? sendMade(call.response, asLines(readChats(context, ids, '\n')), {
        type: 'application/x-ndjson; charset=utf-8',
      })
    : sendMade(call.response, inBrackets(readChats(context, ids)), {
        type: 'application/json; charset=utf-8',
      })
}
