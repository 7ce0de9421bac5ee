import type { ConnectionCheck } from '#contract/connections.ts'
import { isRecord } from '../../lib/is-record.ts'
import { measureCheck, type ProviderOptions } from '../connections/connect-provider.ts'
import { collectCompletion } from '../upstream/collect-completion.ts'
import { createTextUpstream } from '../compatible/text-upstream.ts'
import { serializeBody } from '../upstream/convert-body.ts'
import { toBearer, type ProviderKind } from '../provider-kind.ts'
import type { CompletionCall, FrameStream, Provider } from '../provider.ts'
import { streamUnlessAborted, toFrameStream } from '../upstream/read-frames.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { toRuntimeRequest } from './convert-request.ts'
import { RuntimeDecoder } from './decode-stream.ts'
import { noteRequest } from '../upstream/note-request.ts'
import { embed } from './embed.ts'
import { RUNTIME_RULES } from './field-rules.ts'
import { rank } from './rank.ts'
import { RuntimeModels } from './list-models.ts'

/** Local runtimes, through their native API. */
export const runtimeKind: ProviderKind = {
  create: createRuntimeProvider,
  headers: toBearer,
  modelsPath: '/api/tags',
  localPath: '',
  setting: 'ENABLE_LLMHOST_API',
  abilities: { documents: [], continuesAnswers: true, countsApart: false },
}

/** Creates the provider for the local model runtime, through its native API. */
export function createRuntimeProvider(options: ProviderOptions): Provider {
  const { upstream } = options
  const models = new RuntimeModels(upstream)
  const stream = (call: CompletionCall) =>
    streamUnlessAborted(call.signal, () => openStream(upstream, call))
  return {
    ...options,
    kind: 'runtime',
    abilities: runtimeKind.abilities,
    listModels: (signal) => models.list(signal),
    stream,
    openFrames: (call) => openStream(upstream, call),
    complete: (call) => collectCompletion(stream(call), call),
    text: createTextUpstream(upstream, { path: '/v1/completions', takesMany: false }),
    embed: (call) => embed(upstream, call),
    rank: (call) => rank(upstream, call),
    check: (signal) => check(upstream, models, signal),
  }
}

async function openStream(upstream: Upstream, call: CompletionCall): Promise<FrameStream> {
  const body = await serializeBody(toRuntimeRequest(call.body, call.model))
  if (call.notes) noteRequest(call.notes, call.body, RUNTIME_RULES)
  const reply = await upstream.open(
    { path: '/api/chat', body, headers: call.headers, notes: call.notes, onWait: call.onWait },
    call.signal,
  )
  return toFrameStream(reply, new RuntimeDecoder({ model: call.model, faults: upstream.faults }), {
    faults: upstream.faults,
    signal: call.signal,
  })
}

/** Tests a runtime by requesting its version and models. */
function check(
  upstream: Upstream,
  installed: RuntimeModels,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  return measureCheck(async () => {
    const answer = await upstream.control({ method: 'GET', path: '/api/version' }, signal)
    const version =
      isRecord(answer) && typeof answer['version'] === 'string' ? answer['version'] : null
    const models = (await installed.list(signal))
      .filter((model) => !model.embedsOnly)
      .map((model) => model.id)
    const count = models.length === 1 ? '1 model is' : `${models.length} models are`
    const detail =
      models.length === 0
        ? 'The runtime answers, but no model is installed in it yet.'
        : `Connected. ${count} installed.`
    return { ok: true, detail, version, models }
  })
}
