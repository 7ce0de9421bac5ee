import type { ChatCompletion } from '#contract/completions.ts'
import { upstreamFailed } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { OutgoingReply } from '../../lib/outgoing/outgoing.ts'
import { checkCompatible } from '../compatible/check.ts'
import { toSingleChunk } from '../compatible/convert-completion.ts'
import { parseWhole } from '../compatible/parse-whole.ts'
import { parseModels } from '../compatible/parse-models.ts'
import type { ProviderOptions } from '../connections/connect-provider.ts'
import type { ProviderKind } from '../provider-kind.ts'
import { serializeBody } from '../upstream/convert-body.ts'
import type { CompletionCall, FrameStream, Provider, ProviderModel } from '../provider.ts'
import { sendReadable } from '../upstream/refused-documents.ts'
import { streamUnlessAborted, toFrameStream } from '../upstream/read-frames.ts'
import { EitherDecoder } from '../upstream/reply-kind.ts'
import { parseAnswer, type Upstream } from '../upstream/upstream.ts'
import { callCancelled, toNetworkFault } from '../upstream/upstream-faults.ts'
import { toCompletion } from './convert-answer.ts'
import { toMessagesRequest } from './convert-request.ts'
import { MessagesDecoder } from './decode-stream.ts'
import { noteMessagesRequest } from './field-rules.ts'
import { relayMessages } from './relay-messages.ts'

const PATH = '/messages'
const MODELS_PATH = '/models'
const ALL_MODELS_PATH = `${MODELS_PATH}?limit=1000`
const WHOLE_BYTES = 64 * 1024 * 1024

/** Format version this provider writes; callers of a relay send their own. */
const FORMAT_VERSION = '2023-06-01'

/** Returns the headers a connection of this kind sends on every call. */
export const messagesHeaders = (key: string | null): Record<string, string> => ({
  'anthropic-version': FORMAT_VERSION,
  ...(key !== null && { 'x-api-key': key }),
})

/** Remote providers that speak the messages API. */
export const messagesKind: ProviderKind = {
  create: createMessagesProvider,
  headers: messagesHeaders,
  modelsPath: MODELS_PATH,
  localPath: null,
  setting: null,
  abilities: { documents: ['url', 'pdf'], continuesAnswers: false, countsApart: false },
}

/** Creates a remote provider that speaks the messages API, such as `https://host/v1`. */
export function createMessagesProvider(options: ProviderOptions): Provider {
  const { upstream } = options
  return {
    ...options,
    kind: 'messages',
    abilities: messagesKind.abilities,
    listModels: (signal) => listModels(upstream, signal),
    stream: (call) => streamUnlessAborted(call.signal, () => openStream(upstream, call)),
    openFrames: (call) => openStream(upstream, call),
    complete: (call) => complete(upstream, call),
    messages: {
      relay: (call) => relayMessages(upstream, call),
      countTokens: (body, signal) => countTokens(upstream, body, signal),
    },
    check: (signal) => checkCompatible(upstream, signal, ALL_MODELS_PATH),
  }
}

async function listModels(upstream: Upstream, signal: AbortSignal): Promise<ProviderModel[]> {
  const models = parseModels(
    await upstream.control({ method: 'GET', path: ALL_MODELS_PATH }, signal),
  )
  if (!models)
    throw upstreamFailed(
      `The connection "${upstream.faults.name}" did not answer with a list of models.`,
    )
  // Model lists of this provider describe almost nothing, but all its models can be asked to think.
  return models.map((model) => ({
    ...model,
    capabilities: { ...model.capabilities, reasoning: true },
  }))
}

/** Sends a request in the messages format; notes the treatment of its fields. */
function send(upstream: Upstream, call: CompletionCall, isWhole: boolean): Promise<OutgoingReply> {
  const { model, headers, notes, signal } = call
  return sendReadable(call, async (given) => {
    const converted = toMessagesRequest(given, model, !isWhole)
    if (notes) noteMessagesRequest(notes, given, converted)
    return upstream.open(
      { path: PATH, body: await serializeBody(converted), headers, isWhole, notes },
      signal,
    )
  })
}

async function openStream(upstream: Upstream, call: CompletionCall): Promise<FrameStream> {
  const reply = await send(upstream, call, false)
  const { faults } = upstream
  const toFrame = (document: Buffer) =>
    toSingleChunk(toCompletion(parseAnswer(document, faults), call.model, faults))
  const decoder = new EitherDecoder(
    reply.headers['content-type'],
    new MessagesDecoder({ model: call.model, faults }),
    toFrame,
  )
  return toFrameStream(reply, decoder, { faults, signal: call.signal })
}

const complete = async (upstream: Upstream, call: CompletionCall): Promise<ChatCompletion> =>
  readCompletion(upstream, call, await send(upstream, call, true))

async function readCompletion(
  upstream: Upstream,
  call: CompletionCall,
  reply: OutgoingReply,
): Promise<ChatCompletion> {
  const bytes = await reply.bytes(WHOLE_BYTES).catch((error: unknown) => {
    throw call.signal.aborted ? callCancelled() : toNetworkFault(error, upstream.faults)
  })
  return toCompletion((await parseWhole(bytes, upstream.faults)).value, call.model, upstream.faults)
}

async function countTokens(
  upstream: Upstream,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<number> {
  const answer = await upstream.control(
    { method: 'POST', path: `${PATH}/count_tokens`, body },
    signal,
  )
  const count = isRecord(answer) ? answer['input_tokens'] : null
  if (typeof count !== 'number')
    throw upstreamFailed(
      `The connection "${upstream.faults.name}" did not answer with a number of tokens.`,
    )
  return count
}
