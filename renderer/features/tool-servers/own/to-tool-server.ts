import { toSpecification } from '../../../api/openapi.ts'
import type { OwnServer } from './own-server.ts'
import type { Description } from './read-description.ts'

/** Returns a server with its tools in the form of a chat request. */
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
