import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallNotes } from '../lib/serving/call-notes.ts'
import type { Caller } from '../lib/http.ts'
import {
  adaptRequest,
  noteDroppedFields,
  rewriteModel,
  serializeBody,
  stripGatewayFields,
} from '../providers/index.ts'
import { countTokens, isCounted, type TokenBooks } from './count-tokens.ts'
import { tryEach, type ProxiedKind, type Targets } from './targets.ts'

/** A call of a proxied API whose body names its model. */
export interface NativeCall {
  readonly caller: Caller
  readonly params: { readonly url_idx?: number } | undefined
  readonly body: Readonly<Record<string, unknown>> & {
    readonly model?: string
    readonly name?: string
  }
  readonly rawBody: Buffer
  readonly signal: AbortSignal
  readonly notes?: CallNotes | null
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Returns the bytes for the upstream: unchanged if nothing has to be replaced, else with the
 * upstream's names of the model and the roles.
 */
function toBytes(
  { body: given, rawBody, notes }: NativeCall,
  modelId: string,
  { kind, asksForUsage }: { kind: ProxiedKind; asksForUsage: boolean },
): Buffer | Promise<Buffer> {
  const body = kind === 'compatible' ? adaptRequest(modelId, given, notes) : given
  if (asksForUsage)
    return serializeBody({
      ...stripGatewayFields(body),
      model: modelId,
      stream_options: { include_usage: true },
    })
  if (body !== given) return serializeBody({ ...stripGatewayFields(body), model: modelId })
  if (body.name === undefined) return rewriteModel(rawBody, body, modelId)
  const { name: _, ...rest } = body
  return serializeBody({ ...stripGatewayFields(rest), model: modelId })
}

/** Target of a relayed call. */
export interface NativeRoute {
  readonly kind: ProxiedKind
  readonly path: string
  /** Passes errors on as the upstream wrote them. */
  readonly keepsErrors?: boolean
  /** True for calls that respond once when they are done, whatever `stream` says. */
  readonly isWhole?: boolean
  /** See `PassTarget`. */
  readonly expects?: 'answer' | 'document'
}

interface RelayParts {
  readonly targets: Targets
  readonly auth: TokenBooks
}

/** Relays a call to a connection that has its model, and the response back byte for byte. */
export async function relayNative(
  { targets, auth }: RelayParts,
  call: NativeCall,
  route: NativeRoute,
): Promise<undefined> {
  const { caller, body, params, response, signal, notes } = call
  const found = await targets.ofModel(route.kind, {
    caller,
    model: body.model ?? body.name ?? '',
    index: params?.url_idx,
  })
  if (notes) noteDroppedFields(notes, body)
  const isWhole = route.isWhole ?? body['stream'] === false
  // Remote providers report the tokens of a stream only on request.
  const asksForUsage =
    route.kind === 'compatible' && body['stream'] === true && (await isCounted(auth, caller))
  await tryEach(found, async ({ backend, modelId }) => {
    const request = {
      method: 'POST',
      path: route.path,
      body: await toBytes(call, modelId, { kind: route.kind, asksForUsage }),
      isWhole,
      notes,
    } as const
    const target = {
      response,
      signal,
      keepsErrors: route.keepsErrors ?? false,
      ...(route.expects && { expects: route.expects }),
    }
    return countTokens(auth, call, (watch) => backend.relay(request, { ...target, watch }))
  })
}
