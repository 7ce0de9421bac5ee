import { toSpecification } from '../../../api/openapi.ts'
import type { OwnServer } from './own-server.ts'
import type { Description } from './read-description.ts'

/** A server with its tools, as a request for an answer names it. */
export const toToolServer = (
  { id, url, name }: OwnServer,
  { operations }: Description,
): Record<string, unknown> => ({
  url,
  info: { id, name },
  specs: operations.map((operation) => ({
    type: 'function',
    ...toSpecification(operation, operation.operationId),
    ...(operation.method === 'GET' && { annotations: { readOnlyHint: true } }),
  })),
})
