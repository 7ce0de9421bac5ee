import type { ChatCompletion } from '#contract/completions.ts'
import { upstreamFailed } from '../../lib/errors.ts'
import type { OutgoingReply } from '../../lib/outgoing/outgoing.ts'
import type { ProviderOptions } from '../connections/connect-provider.ts'
import { toBearer, type ProviderKind } from '../provider-kind.ts'
import type { CompletionCall, FrameStream, Provider, ProviderModel } from '../provider.ts'
import { sendReadable } from '../upstream/refused-documents.ts'
import { streamUnlessAborted, toFrameStream } from '../upstream/read-frames.ts'
import { EitherDecoder } from '../upstream/reply-kind.ts'
import { parseAnswer, type Upstream } from '../upstream/upstream.ts'
import { adaptRequest } from './adapt-request.ts'
import { checkCompatible } from './check.ts'
import { toCompletion, toSingleChunk } from './convert-completion.ts'
import { StreamDecoder } from './decode-stream.ts'
import { embed } from './embed.ts'
import { openTaken, WITH_USAGE } from './open-taken.ts'
import { parseModels } from './parse-models.ts'
import { parseWhole } from './parse-whole.ts'
import { collectEvents, isEventStream } from './collect-events.ts'
import { CompatibleResponses } from './relay-responses.ts'
import { readWhole, relay } from './relay.ts'
import { createTextUpstream } from './text-upstream.ts'

const PATH = '/chat/completions'
const MODELS_PATH = '/models'

/** Remote providers that speak chat completions. */
export const compatibleKind: ProviderKind = {
  create: createCompatibleProvider,
  headers: toBearer,
  modelsPath: MODELS_PATH,
  localPath: '/v1',
  setting: 'ENABLE_OPENAI_API',
  abilities: { documents: ['id', 'pdf'], continuesAnswers: false, countsApart: true },
}

/** Creates a remote provider that speaks chat completions, such as `https://host/v1`. */
export function createCompatibleProvider(options: ProviderOptions): Provider {
  const { upstream } = options
  return {
    ...options,
    kind: 'compatible',
    abilities: compatibleKind.abilities,
    listModels: (signal) => listModels(upstream, signal),
    stream: (call) => streamUnlessAborted(call.signal, () => openStream(upstream, call, false)),
    openFrames: (call) => openStream(upstream, call, true),
    complete: (call) => complete(upstream, call),
    relay: (call) => relay(upstream, call),
    text: createTextUpstream(upstream, { path: '/completions', takesMany: true }),
    responses: new CompatibleResponses(upstream),
    embed: (call) => embed(upstream, call),
    check: (signal) => checkCompatible(upstream, signal),
  }
}

/** Requests the model list; throws 502 if the response is not one. */
async function listModels(upstream: Upstream, signal: AbortSignal): Promise<ProviderModel[]> {
  const models = parseModels(await upstream.control({ method: 'GET', path: MODELS_PATH }, signal))
  if (!models)
    throw upstreamFailed(
      `The connection "${upstream.faults.name}" did not answer with a list of models.`,
    )
  return models
}

/**
 * Opens a stream, with token counts unless the caller set the stream options; not every provider
 * supports them.
 */
async function openStream(
  upstream: Upstream,
  call: CompletionCall,
  joinsText: boolean,
): Promise<FrameStream> {
  const reply = await sendReadable(call, (given) => {
    const request = adaptRequest(call.model, given, call.notes)
    const decide = Object.hasOwn(request, 'stream_options')
    const body = { ...request, model: call.model, stream: true, ...(!decide && WITH_USAGE) }
    return openTaken(upstream, call, { path: PATH, body, kept: decide ? ['stream_options'] : [] })
  })
  const { faults } = upstream
  const toFrame = (document: Buffer) =>
    toSingleChunk(toCompletion(parseAnswer(document, faults), call.model, faults))
  const decoder = new EitherDecoder(
    reply.headers['content-type'],
    new StreamDecoder({ faults, joinsText }),
    toFrame,
  )
  return toFrameStream(reply, decoder, { faults, signal: call.signal })
}

async function complete(upstream: Upstream, call: CompletionCall): Promise<ChatCompletion> {
  const reply = await sendReadable(call, (given) => {
    const { stream_options: _, ...body } = adaptRequest(call.model, given, call.notes)
    const whole = { ...body, model: call.model, stream: false }
    return openTaken(upstream, call, { path: PATH, body: whole, kept: [], isWhole: true })
  })
  return readCompletion(upstream, call, reply)
}

async function readCompletion(
  upstream: Upstream,
  call: CompletionCall,
  reply: OutgoingReply,
): Promise<ChatCompletion> {
  const answer = await readWhole(reply, call.signal, upstream.faults)
  if (isEventStream(answer)) return collectEvents(answer, call.model, upstream.faults)
  return toCompletion(
    (await parseWhole(answer, upstream.faults)).value,
    call.model,
    upstream.faults,
  )
}
