import path from 'node:path'
import { endpoints } from '#contract/endpoints.ts'
import { badRequest, unavailable, unsupportedType } from '../../lib/errors.ts'
import { route, type Route } from '../../lib/http.ts'
import type { ProxyParts } from '../routes.ts'
import { fetchFile, isLibraryAddress } from './fetch-file.ts'
import { installFile, parseFilename } from './install-file.ts'

const table = endpoints.runtimeProxy

/** Routes that make a model of a file. */
export function createModelFileRoutes({ targets, settings, temporaryFolder }: ProxyParts): Route[] {
  const folder = path.join(temporaryFolder, 'model-files')
  const { limit } = table.upload.upload
  return [
    route(table.download, async ({ body: { url }, params, response, signal }) => {
      if (!isLibraryAddress(url)) throw badRequest('The address must begin with https://huggingface.co/ or https://github.com/.')
      if (settings.boolean('OFFLINE_MODE')) throw unavailable('Nothing is fetched while offline mode is on.', { code: 'offline' })
      const backend = targets.one('runtime', params.url_idx)
      const filename = parseFilename(decodeURIComponent(new URL(url).pathname))
      const file = await fetchFile(url, { signal })
      try {
        await installFile({ ...file, backend, filename, folder, limit, signal, response })
      } finally {
        await file.close()
      }
    }),
    route(table.upload, async ({ params, query, request, response, signal }) => {
      if (!/^application\/octet-stream\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
        throw unsupportedType('Send the file itself with the header "Content-Type: application/octet-stream" and its name as ?filename=.')
      }
      const filename = parseFilename(query.filename ?? '')
      const backend = targets.one('runtime', params.url_idx)
      const length = Number(request.headers['content-length'] ?? Number.NaN)
      const chunks = request as AsyncIterable<Buffer>
      await installFile({ backend, filename, chunks, length: Number.isNaN(length) ? null : length, limit, folder, signal, response })
    }),
  ]
}
