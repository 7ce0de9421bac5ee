import type { ChatCompletion } from '#contract/completions.ts'
import { ServiceError, upstreamFailed } from '../../lib/errors.ts'
import type { OutgoingReply } from '../../lib/outgoing.ts'
import type { ProviderOptions } from '../connect-provider.ts'
import { serializeBody } from '../convert-body.ts'
import type { CompletionCall, FrameStream, Provider, ProviderModel } from '../provider.ts'
import { streamUnlessAborted, toFrameStream } from '../read-frames.ts'
import { EitherDecoder } from '../reply-kind.ts'
import { parseAnswer, type Upstream } from '../upstream.ts'
import { callCancelled, toNetworkFault } from '../upstream-faults.ts'
import { adaptRequest } from './adapt-request.ts'
import { checkCompatible } from './check.ts'
import { toCompletion, toSingleChunk } from './convert-completion.ts'
import { createStreamDecoder } from './decode-stream.ts'
import { embed } from './embed.ts'
import { parseModels } from './parse-models.ts'
import { collectEvents, isEventStream } from './collect-events.ts'
import { relay } from './relay.ts'

const PATH = '/chat/completions'
const WITH_USAGE = { stream_options: { include_usage: true } }
/** Fields other dialects bring along that not every provider knows, and without which the answer is the same. */
const SPARED_FIELDS = [
  'stream_options',
  'prompt_cache_key',
  'safety_identifier',
  'service_tier',
  'verbosity',
  'user',
  'top_k',
  'parallel_tool_calls',
] as const

const WHOLE_BYTES = 64 * 1024 * 1024

/** A remote provider that speaks chat completions, such as `https://host/v1`. */
export function createCompatibleProvider(options: ProviderOptions): Provider {
  const { upstream } = options
  return {
    ...options,
    kind: 'compatible',
    listModels: (signal) => listModels(upstream, signal),
    stream: (call) => streamUnlessAborted(call.signal, () => openStream(upstream, call, false)),
    openFrames: (call) => openStream(upstream, call, true),
    complete: (call) => complete(upstream, call),
    relay: (call) => relay(upstream, call),
    embed: (call) => embed(upstream, call),
    check: (signal) => checkCompatible(upstream, signal),
  }
}

/** Asks for the model list; 502 when the answer is none. */
async function listModels(upstream: Upstream, signal: AbortSignal): Promise<ProviderModel[]> {
  const models = parseModels(await upstream.control({ method: 'GET', path: '/models' }, signal))
  if (!models) throw upstreamFailed(`The connection "${upstream.faults.name}" did not answer with a list of models.`)
  return models
}

/** Asks for the token counts too, unless the caller decided about stream options; not every provider knows them. */
async function openStream(upstream: Upstream, call: CompletionCall, joinsText: boolean): Promise<FrameStream> {
  const request = adaptRequest(call.model, call.body)
  const decide = Object.hasOwn(request, 'stream_options')
  const body = { ...request, model: call.model, stream: true, ...(!decide && WITH_USAGE) }
  const reply = await openTaken(upstream, call, { body, kept: decide ? ['stream_options'] : [] })
  const { faults } = upstream
  const toFrame = (document: Buffer) => toSingleChunk(toCompletion(parseAnswer(document, faults), call.model, faults))
  const decoder = new EitherDecoder(reply.headers['content-type'], createStreamDecoder(faults, { joinsText }), toFrame)
  return toFrameStream(reply, decoder, { faults, signal: call.signal })
}

async function complete(upstream: Upstream, call: CompletionCall): Promise<ChatCompletion> {
  const { stream_options: _, ...body } = adaptRequest(call.model, call.body)
  const whole = { ...body, model: call.model, stream: false }
  return readCompletion(upstream, call, await openTaken(upstream, call, { body: whole, kept: [], isWhole: true }))
}

interface Asked {
  readonly body: Readonly<Record<string, unknown>>
  /** Fields the caller insists on. */
  readonly kept: readonly string[]
  readonly isWhole?: boolean
}

/** Sends a request, and once more without a field that does not change what is asked when the provider does not know it. */
async function openTaken(upstream: Upstream, call: CompletionCall, { body, kept, isWhole = false }: Asked): Promise<OutgoingReply> {
  const send = (sent: Readonly<Record<string, unknown>>) =>
    upstream.open({ path: PATH, body: serializeBody(sent), headers: call.headers, isWhole }, call.signal)
  try {
    return await send(body)
  } catch (error) {
    const refused = SPARED_FIELDS.filter((name) => Object.hasOwn(body, name) && !kept.includes(name) && isAbout(error, name))
    if (refused.length === 0) throw error
    return await send(Object.fromEntries(Object.entries(body).filter(([name]) => !refused.includes(name as never))))
  }
}

const isAbout = (error: unknown, name: string): boolean =>
  error instanceof ServiceError &&
  error.status === 400 &&
  (error.reported?.param === name || new RegExp(`\\b${name}\\b`).test(error.message))

async function readCompletion(upstream: Upstream, call: CompletionCall, reply: OutgoingReply): Promise<ChatCompletion> {
  const answer = await reply.bytes(WHOLE_BYTES).catch((error: unknown) => {
    throw call.signal.aborted ? callCancelled() : toNetworkFault(error, upstream.faults)
  })
  if (isEventStream(answer)) return collectEvents(answer, call.model, upstream.faults)
  return toCompletion(parseAnswer(answer, upstream.faults), call.model, upstream.faults)
}
