import type { EmbeddingList, EmbeddingRequest } from '#contract/embeddings.ts'
import { badRequest, upstreamFailed } from '../../lib/errors.ts'
import { noteFields, type FieldRules } from '../../lib/serving/call-notes.ts'
import { isRecord } from '../../lib/is-record.ts'
import { serializeBody, stripGatewayFields } from '../upstream/convert-body.ts'
import type { EmbedCall } from '../provider.ts'
import { largestEmbeddings } from '../upstream/largest-embeddings.ts'
import { parseAnswer, type Upstream } from '../upstream/upstream.ts'
import { callCancelled, toNetworkFault } from '../upstream/upstream-faults.ts'

/** Treatment of each field of an embeddings request (`COMPATIBILITY.md`, Fields). */
export const EMBEDDING_RULES: FieldRules = {
  sent: new Set(['model', 'input', 'dimensions']),
  translated: new Set(['encoding_format']),
  ignored: { user: 'no_accounts' },
}

/** Returns the input as texts, because the runtime reads nothing else. */
function toTexts(input: EmbeddingRequest['input']): string | string[] {
  if (typeof input === 'string') return input
  const texts = input.filter((text) => typeof text === 'string')
  if (texts.length === input.length) return texts
  throw badRequest(
    'This model runs on the local runtime, which embeds texts but no tokens. Send the input as text.',
  )
}

/** Encodes numbers as 32-bit floats in base64, which SDKs request because it is shorter. */
const toBase64 = (numbers: readonly number[]): string =>
  Buffer.from(Float32Array.from(numbers).buffer).toString('base64')

function parseEmbeddings(
  answer: unknown,
  upstream: Upstream,
): { rows: number[][]; tokens: number } {
  const rows = isRecord(answer) ? answer['embeddings'] : null
  const isTable =
    Array.isArray(rows) &&
    rows.every((row) => Array.isArray(row) && row.every((value) => typeof value === 'number'))
  if (!isRecord(answer) || !isTable)
    throw upstreamFailed(`The connection "${upstream.faults.name}" did not answer with embeddings.`)
  const tokens = answer['prompt_eval_count']
  return { rows: rows as number[][], tokens: typeof tokens === 'number' ? tokens : 0 }
}

/** Computes embeddings through the native API and returns them in the common form. */
export async function embed(
  upstream: Upstream,
  { model, body, signal, notes }: EmbedCall,
): Promise<EmbeddingList> {
  const request = {
    model,
    input: toTexts(body.input),
    ...(body.dimensions != null && { dimensions: body.dimensions }),
  }
  if (notes) noteFields(notes, stripGatewayFields(body), EMBEDDING_RULES)
  const reply = await upstream.open(
    { path: '/api/embed', body: await serializeBody(request), isWhole: true, notes },
    signal,
  )
  const bytes = await reply.bytes(largestEmbeddings(body)).catch((error: unknown) => {
    throw signal.aborted ? callCancelled() : toNetworkFault(error, upstream.faults)
  })
  const { rows, tokens } = parseEmbeddings(parseAnswer(bytes, upstream.faults), upstream)
  const data = rows.map((row, index) => ({
    object: 'embedding' as const,
    index,
    embedding: body.encoding_format === 'base64' ? toBase64(row) : row,
  }))
  return { object: 'list', model, data, usage: { prompt_tokens: tokens, total_tokens: tokens } }
}
