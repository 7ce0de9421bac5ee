import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { endpoints } from '#contract/endpoints.ts'
import { notFound, tooLarge, upstreamFailed } from '../../lib/errors.ts'
import { httpRoute, route, type Route } from '../../lib/http.ts'
import type { ProxyParts } from '../routes.ts'

const table = endpoints.runtimeProxy

const toPath = (digest: string): string => `/api/blobs/${digest.replace('-', ':')}`

/**
 * Yields the bytes as they arrive, up to the limit; they are accepted only while their sender has
 * the permission.
 */
async function* readBounded(
  request: IncomingMessage,
  limit: number,
  confirm: () => Promise<void> | void,
): AsyncGenerator<Buffer, void, void> {
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > limit) throw tooLarge(`The file is larger than ${limit} bytes.`)
    yield chunk
  }
  await confirm()
}

/**
 * Creates routes for files that clients of a runtime upload before they have it create a model from
 * them.
 */
export function createBlobRoutes({ targets }: ProxyParts): Route[] {
  return [
    route(table.findBlob, async ({ params: { digest, url_idx: index }, signal }) => {
      const backend = targets.one('runtime', index)
      const request = { method: 'HEAD', path: toPath(digest), body: null, isWhole: true } as const
      const { status } = await backend.ask(request, signal)
      if (status === 200) return { digest }
      if (status === 404)
        throw notFound('The runtime has no file of this hash.', { code: 'blob_not_found' })
      throw upstreamFailed(`The runtime answered ${status} when it was asked for a file.`)
    }),
    httpRoute(table.sendBlob, async ({ params, request, response, signal, confirm }) => {
      const backend = targets.one('runtime', params.url_idx)
      const { limit } = table.sendBlob.upload
      const length = request.headers['content-length']
      if (Number(length ?? 0) > limit) throw tooLarge(`The file is larger than ${limit} bytes.`)
      const body = Readable.from(readBounded(request, limit, confirm), { objectMode: false })
      await backend.send(
        {
          method: 'POST',
          path: toPath(params.digest),
          body,
          isWhole: true,
          headers: {
            'content-type': 'application/octet-stream',
            ...(length !== undefined && { 'content-length': length }),
          },
        },
        signal,
      )
      response.writeHead(201, { 'Content-Type': 'application/json' }).end('{}')
    }),
  ]
}
