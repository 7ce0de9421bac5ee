import { endpoints } from '#contract/endpoints.ts'
import type { Events } from '../events/index.ts'
import { nowSeconds } from '../lib/ids.ts'
import { mapInOrder } from '../lib/in-order.ts'
import { type Call, type Route, httpRoute, route } from '../lib/http.ts'
import { listModels, verifyEngine } from './choose-engine.ts'
import { readConfig, updateConfig } from './config.ts'
import { getPicture, listPictures, removePicture, varyPicture } from './gallery.ts'
import { makePictures, type MakeOptions, type MakeParts } from './make-pictures.ts'
import { keepPreview, sendPreview } from './previews.ts'
import { showRemote } from './show-remote.ts'

export interface ImageRouteParts extends MakeParts {
  readonly events: Pick<Events, 'emit'>
}

const VERIFY_MILLISECONDS = 10_000

/** Options of a call without a chat; the named job receives its progress. */
function toOptions(
  { events }: ImageRouteParts,
  { caller, signal }: Pick<Call, 'caller' | 'signal'>,
  jobId: string | null | undefined,
) {
  const { userId } = caller!
  const options: MakeOptions = { userId, chatId: null, messageId: null, jobId, signal }
  if (typeof jobId !== 'string') return options
  const onProgress: MakeOptions['onProgress'] = (done, total) =>
    events.emit(userId, {
      chat_id: null,
      message_id: null,
      data: { type: 'image:progress', data: { job_id: jobId, done, total } },
    })
  return { ...options, onProgress }
}

const toAddresses = (pictures: readonly { readonly url: string }[]) =>
  pictures.map(({ url }) => ({ url }))

export function createImageRoutes(parts: ImageRouteParts): Route[] {
  const { images } = endpoints
  const { settings, client, jobs } = parts
  const soon = (signal: AbortSignal): AbortSignal =>
    AbortSignal.any([signal, AbortSignal.timeout(VERIFY_MILLISECONDS)])
  return [
    route(images.config, () => readConfig(settings)),
    route(images.updateConfig, ({ body }) => updateConfig(settings, body)),
    route(images.verify, ({ signal }) => verifyEngine(settings, client, soon(signal))),
    route(images.models, ({ signal }) => listModels(settings, client, soon(signal))),
    route(images.generate, async (call) => {
      const { job_id: jobId, ...request } = call.body
      return toAddresses(await makePictures(parts, request, toOptions(parts, call, jobId)))
    }),
    route(images.create, async (call) => {
      const { prompt, model, size, n } = call.body
      const request = { prompt, model, size, n }
      const made = await makePictures(parts, request, toOptions(parts, call, null))
      const data = await mapInOrder(made, async ({ id }) => ({
        b64_json: (await parts.files.read(id)).toString('base64'),
      }))
      return { created: nowSeconds(), data }
    }),
    route(images.edit, async (call) => {
      const { job_id: jobId, image, ...request } = call.body
      const sent = { ...request, images: Array.isArray(image) ? image : [image] }
      return toAddresses(await makePictures(parts, sent, toOptions(parts, call, jobId)))
    }),
    route(images.stop, ({ caller, params }) => {
      jobs.stop(caller.userId, params.job_id)
      return { status: true as const }
    }),
    httpRoute(images.show, async ({ body, signal, response }) => {
      const { bytes, type } = await showRemote(parts, body.url, signal)
      response.writeHead(200, {
        'Content-Type': type,
        'Content-Length': bytes.length,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'private, no-store',
      })
      response.end(bytes)
    }),
    route(images.gallery, ({ caller, query }) => listPictures(parts, caller.userId, query)),
    route(images.picture, ({ caller, params }) =>
      getPicture(parts, caller.userId, params.picture_id),
    ),
    httpRoute(images.preview, ({ caller, params, request, response }) =>
      sendPreview(parts, { userId: caller.userId, id: params.picture_id, request, response }),
    ),
    route(images.keepPreview, ({ caller, params, body }) =>
      keepPreview(parts, caller.userId, params.picture_id, body.data),
    ),
    route(images.remove, ({ caller, params }) =>
      removePicture(parts, caller.userId, params.picture_id),
    ),
    route(images.vary, (call) => {
      const { n, job_id: jobId } = call.body
      return varyPicture(parts, call.params.picture_id, n ?? 1, toOptions(parts, call, jobId))
    }),
  ]
}
