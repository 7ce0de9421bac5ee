import path from 'node:path'
import { endpoints } from '#contract/endpoints.ts'
import { decodePercent } from '../../lib/text/decode-percent.ts'
import { badRequest, unavailable, unsupportedType } from '../../lib/errors.ts'
import { httpRoute, type Route } from '../../lib/http.ts'
import type { ProxyParts } from '../routes.ts'
import { fetchFile, isLibraryAddress } from './fetch-file.ts'
import { installFile, parseFilename } from './install-file.ts'
import { readForm } from './read-form.ts'
import { isOffline } from '../../settings/index.ts'
import { requireWayOut } from '../../lib/outgoing/way-out.ts'

const table = endpoints.runtimeProxy

/**
 * Yields the complete body; it is accepted only while its sender still has the permission to send
 * it.
 */
async function* readConfirmed(
  body: AsyncIterable<Buffer>,
  confirm: () => Promise<void> | void,
): AsyncGenerator<Buffer, void, void> {
  yield* body
  await confirm()
}

/** Creates routes that create a model from a file. */
export function createModelFileRoutes({ targets, settings, temporaryFolder }: ProxyParts): Route[] {
  const folder = path.join(temporaryFolder, 'model-files')
  const { limit } = table.upload.upload
  return [
    httpRoute(table.download, async ({ body: { url }, params, response, signal }) => {
      if (!isLibraryAddress(url))
        throw badRequest(
          'The address must begin with https://huggingface.co/ or https://github.com/.',
        )
      if (isOffline(settings)) {
        requireWayOut({ host: new URL(url).hostname, port: 443 }, { kind: 'model_download' })
        throw unavailable('Nothing is fetched while offline mode is on.', { code: 'offline' })
      }
      const backend = targets.one('runtime', params.url_idx)
      const filename = parseFilename(decodePercent(new URL(url).pathname))
      const file = await fetchFile(url, { signal })
      try {
        await installFile({ ...file, backend, filename, folder, limit, signal, response })
      } finally {
        await file.close()
      }
    }),
    httpRoute(table.upload, async ({ params, query, request, response, signal, confirm }) => {
      const type = request.headers['content-type'] ?? ''
      if (/^multipart\/form-data\s*(;|$)/i.test(type)) {
        const backend = targets.one('runtime', params.url_idx)
        const file = await readForm({ request, response }, { folder, limit, name: query.filename })
        try {
          await confirm()
          await installFile({ ...file, backend, limit, folder, signal, response })
        } finally {
          await file.remove()
        }
        return
      }
      if (!/^application\/octet-stream\s*(;|$)/i.test(type)) {
        throw unsupportedType(
          'Send the file as the part "file" of a form, or itself with "Content-Type: application/octet-stream" and its name as ?filename=.',
        )
      }
      const filename = parseFilename(query.filename ?? '')
      const backend = targets.one('runtime', params.url_idx)
      const length = Number(request.headers['content-length'] ?? Number.NaN)
      const chunks = readConfirmed(request as AsyncIterable<Buffer>, confirm)
      await installFile({
        backend,
        filename,
        chunks,
        length: Number.isNaN(length) ? null : length,
        limit,
        folder,
        signal,
        response,
      })
    }),
  ]
}
