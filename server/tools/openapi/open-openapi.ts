import { badRequest, timedOut, upstreamFailed } from '../../lib/errors.ts'
import { leaveBody, readWhole, type OutgoingFetch } from '../../lib/outgoing/outgoing-fetch.ts'
import type { OpenServer } from '../servers/open-server.ts'
import type { MakeHeaders } from '../servers/request-headers.ts'
import type { ServerRecord } from '../servers/server-record.ts'
import { errorOutput } from '../calls/tool.ts'
import type { Operation, ToolServerDescription } from '#contract/openapi/operation.ts'
import { parseDocument } from './parse-document.ts'
import { readOperations } from '#contract/openapi/read-operations.ts'
import { resolveReferences, type FetchDocument } from './resolve-references.ts'
import { toOutput } from './to-output.ts'
import { toRequest } from '#contract/openapi/to-request.ts'
import { toSpecification } from '#contract/openapi/to-specification.ts'

export interface OpenApiDependencies {
  readonly outgoing: OutgoingFetch
  readonly makeHeaders: MakeHeaders
  /** For documents referenced by a description, whose URLs its author chose. */
  readonly fetchDocument: FetchDocument
}

const DESCRIPTION_MILLISECONDS = 10_000
const CALL_MILLISECONDS = 300_000
const LARGEST_DESCRIPTION = 8 * 1024 * 1024
/** Statuses of a server that needs a key or a sign-in, or another one. */
const KEYLESS: ReadonlySet<number> = new Set([401, 403])
const LARGEST_REPLY = 32 * 1024 * 1024

const tooLarge = () => upstreamFailed('The reply of the tool server is too large.')

/**
 * Returns the cause behind the generic message of a failed request, such as a refused connection.
 */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || ('code' in cause ? String(cause.code) : cause.name)
}

function descriptionAddress({ url, path }: ServerRecord): string {
  if (/^https?:\/\//i.test(path)) return path
  return path === '' ? url : `${url}/${path.replace(/^\/+/, '')}`
}

async function fetchDescription(
  record: ServerRecord,
  outgoing: OutgoingFetch,
  signal: AbortSignal,
): Promise<string> {
  const address = descriptionAddress(record)
  const isOwn = URL.parse(address)?.origin === URL.parse(record.url)?.origin
  const { key, headers: own } = record.secrets
  const plain = Object.fromEntries(Object.entries(own).filter(([, value]) => !value.includes('{{')))
  const signIn =
    record.authType === 'bearer' && key !== '' ? { authorization: `Bearer ${key}` } : {}
  const headers = {
    accept: 'application/json, application/yaml;q=0.9, */*;q=0.5',
    ...(isOwn && { ...plain, ...signIn }),
  }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DESCRIPTION_MILLISECONDS)])
  try {
    const response = await outgoing.fetch(address, { headers, signal: limit })
    if (response.status !== 200) {
      await leaveBody(response)
      throw badRequest(
        `The tool server answered ${response.status} when it was asked for its description at ${address}.`,
        KEYLESS.has(response.status) ? { code: 'tool_server_refused' } : {},
      )
    }
    return (await readWhole(response, LARGEST_DESCRIPTION, tooLarge)).toString('utf8')
  } catch (error) {
    if (error instanceof Error && error.name === 'ServiceError') throw error
    if (signal.aborted) throw error
    if (limit.aborted)
      throw timedOut(
        `The tool server did not answer within ${DESCRIPTION_MILLISECONDS / 1000} seconds.`,
        { cause: error },
      )
    throw upstreamFailed(`The tool server at ${address} cannot be reached: ${reasonOf(error)}.`, {
      cause: error,
    })
  }
}

/**
 * Returns the document of a server and its callable operations. Throws 400, 502 or 504 with the
 * reason.
 */
export async function loadDescription(
  record: ServerRecord,
  { outgoing, fetchDocument }: OpenApiDependencies,
  signal: AbortSignal,
): Promise<{ document: Record<string, unknown>; description: ToolServerDescription }> {
  const text =
    record.specType === 'json' ? record.spec : await fetchDescription(record, outgoing, signal)
  const document = await parseDocument(text)
  return { document, description: readOperations(await resolveReferences(document, fetchDocument)) }
}

/** Makes the operations of a described server callable. */
export function openOpenApi(
  record: ServerRecord,
  { operations }: ToolServerDescription,
  parts: OpenApiDependencies,
): OpenServer {
  const byName = new Map(operations.map((operation) => [operation.operationId, operation]))

  async function send(
    operation: Operation,
    given: Readonly<Record<string, unknown>>,
    headers: Record<string, string>,
    signal: AbortSignal,
  ) {
    const { method, path, headers: own, body } = toRequest(operation, given)
    const limit = AbortSignal.any([signal, AbortSignal.timeout(CALL_MILLISECONDS)])
    try {
      const response = await parts.outgoing.fetch(record.url + path, {
        method,
        body,
        signal: limit,
        headers: { ...own, ...headers },
      })
      return toOutput({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        bytes: await readWhole(response, LARGEST_REPLY, tooLarge),
      })
    } catch (error) {
      if (signal.aborted || (error instanceof Error && error.name === 'ServiceError')) throw error
      if (limit.aborted)
        return errorOutput(
          `The tool server did not answer within ${CALL_MILLISECONDS / 1000} seconds.`,
        )
      return errorOutput(`The tool server cannot be reached: ${reasonOf(error)}.`)
    }
  }

  return {
    functions: [...byName.values()].map((operation) => {
      const { description, parameters } = toSpecification(operation, operation.operationId)
      return {
        name: operation.operationId,
        description,
        parameters,
        isReadOnly: operation.method === 'GET',
      }
    }),
    async call(name, given, { place, signal }) {
      const operation = byName.get(name)
      if (!operation) throw badRequest(`The tool server has no operation ${name}.`)
      return send(operation, given, await parts.makeHeaders(record, place), signal)
    },
  }
}
