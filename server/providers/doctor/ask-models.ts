import { createOutgoingTarget } from '../../lib/outgoing/outgoing.ts'
import { parseModels } from '../compatible/parse-models.ts'
import { detourOf, type ConnectionRecord } from '../connections/connection-record.ts'
import { PROVIDER_KINDS } from '../kinds.ts'

/** Response of a server to a request for its models. */
export type Answer =
  | { readonly kind: 'fault'; readonly code: string }
  | {
      readonly kind: 'reply'
      readonly status: number
      readonly location: string | null
      readonly form: 'models' | 'json' | 'page' | 'other'
      /** Ids of the models it offers; empty for every other response. */
      readonly models: readonly string[]
    }

export type Asked = Pick<
  ConnectionRecord,
  'kind' | 'url' | 'key' | 'headers' | 'origin' | 'use_proxy' | 'trusted_certificate'
>
type Reply = Extract<Answer, { kind: 'reply' }>

const LARGEST = 8 * 1024 * 1024
const SILENT = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

function readForm(type: string, body: string): Pick<Reply, 'form' | 'models'> {
  try {
    const models = parseModels(JSON.parse(body))
    return models
      ? { form: 'models', models: models.map(({ id }) => id) }
      : { form: 'json', models: [] }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const isPage = type.includes('text/html') || /^\s*<(!doctype|html)/i.test(body)
    return { form: isPage ? 'page' : 'other', models: [] }
  }
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : 'FAILED'
}

/** Requests the models once, follows no redirects, and never fails. */
export async function askModels(
  record: Asked,
  milliseconds: number,
  signal: AbortSignal,
): Promise<Answer> {
  const { origin, pathname } = new URL(record.url)
  const { modelsPath, headers } = PROVIDER_KINDS[record.kind]
  const target = createOutgoingTarget(origin, {
    connectMilliseconds: milliseconds,
    detour: detourOf(record),
  })
  const limit = AbortSignal.timeout(milliseconds)
  try {
    const reply = await target.open(
      {
        method: 'GET',
        path: pathname.replace(/\/+$/, '') + modelsPath,
        headers: {
          accept: '*/*',
          'accept-encoding': 'identity',
          'user-agent': 'chat-gateway',
          ...headers(record.key),
          ...record.headers,
        },
        body: null,
        firstByteMilliseconds: milliseconds,
        idleMilliseconds: milliseconds,
      },
      AbortSignal.any([signal, limit]),
    )
    const body = (await reply.bytes(LARGEST)).toString('utf8')
    const location = reply.headers.location ?? null
    const type = reply.headers['content-type'] ?? ''
    return { kind: 'reply', status: reply.status, location, ...readForm(type, body) }
  } catch (error) {
    signal.throwIfAborted()
    const code = codeOf(error)
    return { kind: 'fault', code: limit.aborted || SILENT.has(code) ? 'SILENT' : code }
  } finally {
    await target.close()
  }
}
