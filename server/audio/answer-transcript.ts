import type { ServerResponse } from 'node:http'
import { badRequest } from '../lib/errors.ts'

/** Form of an answer with a transcript, which SDKs choose by fields of their form. */
export type TranscriptForm = 'json' | 'text' | 'events'

type FormFields = Readonly<Record<string, string>>

/**
 * Returns the form that is asked for. The detailed one is answered without its details; throws 400
 * for those that consist of times, which the gateway does not know.
 */
export function readTranscriptForm({
  response_format: format = 'json',
  stream,
}: FormFields): TranscriptForm {
  if (stream === 'true') return 'events'
  if (format === 'text') return 'text'
  if (format === 'json' || format === 'verbose_json') return 'json'
  throw badRequest(
    'Transcripts have no times here. Ask for the response_format "json" or "text".',
    {
      code: 'unsupported_parameter',
      param: 'response_format',
    },
  )
}

const toEvent = (value: object): string => `data: ${JSON.stringify(value)}\n\n`

/** Sends the text in a form other than JSON. */
export function sendTranscript(
  response: ServerResponse,
  text: string,
  form: Exclude<TranscriptForm, 'json'>,
): undefined {
  const isText = form === 'text'
  response.writeHead(200, {
    'Content-Type': isText ? 'text/plain; charset=utf-8' : 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
  })
  response.end(
    isText
      ? text
      : toEvent({ type: 'transcript.text.delta', delta: text }) +
          toEvent({ type: 'transcript.text.done', text }),
  )
  return undefined
}
