import type { IncomingMessage, ServerResponse } from 'node:http'
import { badRequest, notFound, unsupportedType } from '../lib/errors.ts'
import type { BodyAllowance } from '../lib/serving/body-allowance.ts'
import type { Caller } from '../lib/http.ts'
import { isRecord } from '../lib/is-record.ts'
import { parseJsonInSteps } from '../lib/json/parse-json.ts'
import { readBody } from '../lib/serving/read-body.ts'
import { runInTurns } from '../lib/turns.ts'
import { rewriteModel } from '../providers/index.ts'
import { countTokens, type TokenBooks } from './count-tokens.ts'
import type { Targets } from './targets.ts'

/** Calls to the first provider that are allowed besides chat completions and models. */
const ALLOWED: ReadonlySet<string> = new Set([
  'POST images/generations',
  'POST moderations',
  'POST rerank',
])
const BODY_LIMIT = 64 * 1024 * 1024
const JSON_TYPE = /^application\/json\s*(;|$)/i

interface PassThroughCall {
  readonly caller: Caller
  readonly params: { readonly path: readonly string[] }
  readonly confirm: () => Promise<void> | void
  readonly signal: AbortSignal
  readonly allowance: BodyAllowance
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

async function readJson({
  request,
  allowance,
}: PassThroughCall): Promise<{ bytes: Buffer; body: Record<string, unknown> }> {
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) {
    throw unsupportedType('Send the body as JSON with the header "Content-Type: application/json".')
  }
  const { bytes } = await readBody(request, { limit: BODY_LIMIT }, allowance)
  const { value: body } = await runInTurns(parseJsonInSteps(bytes))
  if (!isRecord(body)) throw badRequest('The request body must be a JSON object.')
  return { bytes, body }
}

/** Returns the first provider's id of the model; only models the caller may use are passed on. */
async function toModel(
  targets: Targets,
  caller: Caller,
  body: Record<string, unknown>,
): Promise<string> {
  const model = body['model']
  if (typeof model !== 'string') throw badRequest('Name the model as text.')
  const found = await targets.ofModel('compatible', { caller, model, index: 0 })
  return found[0]!.modelId
}

/**
 * Relays a listed call to the first provider. The path comes from the list, never from the caller.
 */
export async function passThrough(
  { targets, auth }: { targets: Targets; auth: TokenBooks },
  call: PassThroughCall,
  method: string,
): Promise<undefined> {
  const path = call.params.path.join('/')
  if (!ALLOWED.has(`${method} ${path}`)) throw notFound('There is nothing at this address.')
  const backend = targets.one('compatible', 0)
  const { bytes, body } = await readJson(call)
  await call.confirm()
  const model = await toModel(targets, call.caller, body)
  const { caller, response, signal } = call
  const request = {
    method: 'POST',
    path: `/${path}`,
    body: await rewriteModel(bytes, body, model),
    isWhole: true,
  } as const
  await countTokens(auth, { caller, body, signal }, (watch) =>
    backend.relay(request, { response, signal, keepsErrors: true, watch }),
  )
}
