import type { ChatCompletionChunk } from '#contract/completions.ts'
import type { TextCompletion } from '#contract/text-completions.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import type { CompletionCall, CompletionFrame, FrameStream, TextUpstream } from '../provider.ts'
import {
  isErrorFrame,
  streamUnlessAborted,
  toFrameStream,
  toThrown,
} from '../upstream/read-frames.ts'
import { EitherDecoder } from '../upstream/reply-kind.ts'
import { parseAnswer, type Upstream } from '../upstream/upstream.ts'
import { toReportedFault, withoutAnswer, type FaultContext } from '../upstream/upstream-faults.ts'
import { isEventStream } from './collect-events.ts'
import { StreamDecoder } from './decode-stream.ts'
import { parseWhole } from './parse-whole.ts'
import { openTaken, WITH_USAGE } from './open-taken.ts'
import { readWhole } from './relay.ts'

/**
 * Path under which an upstream completes text, and whether one call may hold several prompts and
 * request several answers.
 */
interface TextRoute {
  readonly path: string
  readonly takesMany: boolean
}

/** Creates plain text completions for an upstream that has a separate path for them. */
export const createTextUpstream = (
  upstream: Upstream,
  { path, takesMany }: TextRoute,
): TextUpstream => ({
  takesMany,
  stream: (call) => streamUnlessAborted(call.signal, () => openStream(upstream, call, path)),
  complete: (call) => complete(upstream, call, path),
})

/** Returns how many answers a request asks for: each of them has to report that it is finished. */
function countAnswers({ prompt, n }: Readonly<Fields>): number {
  const isList = Array.isArray(prompt) && prompt.length > 0 && typeof prompt[0] !== 'number'
  return (isList ? prompt.length : 1) * (typeof n === 'number' ? n : 1)
}

async function openStream(
  upstream: Upstream,
  call: CompletionCall,
  path: string,
): Promise<FrameStream> {
  const decides = isRecord(call.body['stream_options'])
  const body = { ...call.body, model: call.model, stream: true, ...(!decides && WITH_USAGE) }
  const reply = await openTaken(upstream, call, {
    path,
    body,
    kept: decides ? ['stream_options'] : [],
  })
  const { faults } = upstream
  const events = new StreamDecoder({ faults, answers: countAnswers(call.body) })
  const decoder = new EitherDecoder(reply.headers['content-type'], events, (document) =>
    toSingleFrame(document, faults),
  )
  return toFrameStream(reply, decoder, { faults, signal: call.signal })
}

async function complete(
  upstream: Upstream,
  call: CompletionCall,
  path: string,
): Promise<TextCompletion> {
  const { stream_options: _, ...rest } = call.body
  const body = { ...rest, model: call.model, stream: false }
  const { faults } = upstream
  const bytes = await readWhole(
    await openTaken(upstream, call, { path, body, kept: [], isWhole: true }),
    call.signal,
    faults,
  )
  if (isEventStream(bytes)) return collect(bytes, countAnswers(call.body), faults)
  return toTextCompletion((await parseWhole(bytes, faults)).value, faults)
}

/** Converts a whole answer into the form SDKs accept; throws the error it holds instead. */
function toTextCompletion(value: unknown, faults: FaultContext): TextCompletion {
  const fields = isRecord(value) ? value : {}
  if (fields['error'] !== undefined && fields['error'] !== null)
    throw toReportedFault(fields['error'], faults)
  const choices = Array.isArray(fields['choices']) ? fields['choices'].filter(isRecord) : []
  if (!choices.some(({ text }) => typeof text === 'string' || typeof text === 'number'))
    throw withoutAnswer(faults)
  return { ...fields, choices: choices.map(cleanChoice) } as TextCompletion
}

const cleanChoice = (choice: Fields, position: number): Fields => ({
  logprobs: null,
  ...choice,
  index: Number.isSafeInteger(choice['index']) ? choice['index'] : position,
  text: textOf(choice),
  finish_reason: typeof choice['finish_reason'] === 'string' ? choice['finish_reason'] : null,
})

/** Converts a whole answer that was sent although a stream was requested. */
function toSingleFrame(document: Buffer, faults: FaultContext): CompletionFrame {
  const { choices, ...rest } = toTextCompletion(parseAnswer(document, faults), faults)
  return {
    ...rest,
    choices: choices.map((choice) => ({ ...choice, delta: {} })),
  } as ChatCompletionChunk
}

const textOf = ({ text }: Fields): string =>
  typeof text === 'string' ? text : typeof text === 'number' ? String(text) : ''

/** Concatenates lists of the same name. */
const joinLists = (one: unknown, other: unknown): unknown =>
  isRecord(one) && isRecord(other)
    ? Object.fromEntries(
        Object.entries({ ...one, ...other }).map(([name, value]) => [
          name,
          [one[name] ?? [], value].flat(),
        ]),
      )
    : (other ?? one)

/** Collects the whole answer from a stream that was sent although none was requested. */
function collect(events: Buffer, answers: number, faults: FaultContext): TextCompletion {
  const decoder = new StreamDecoder({ faults, answers })
  const choices = new Map<number, Fields>()
  let head: Fields = {}
  for (const frame of [...decoder.push(events), ...decoder.end()]) {
    if (isErrorFrame(frame)) throw toThrown(frame)
    const { choices: pieces, ...rest } = frame
    head = { ...head, ...rest }
    for (const { delta: _, ...piece } of pieces) {
      const {
        text = '',
        logprobs = null,
        finish_reason: finish = null,
      } = choices.get(piece.index) ?? {}
      choices.set(piece.index, {
        index: piece.index,
        text: `${text as string}${textOf(piece)}`,
        logprobs: joinLists(logprobs, piece['logprobs']),
        finish_reason: piece.finish_reason ?? finish,
      })
    }
  }
  const inOrder = [...choices.values()].toSorted(
    (one, other) => Number(one['index']) - Number(other['index']),
  )
  return toTextCompletion({ ...head, object: 'text_completion', choices: inOrder }, faults)
}
