import type { Picture } from '#contract/images.ts'
import { badRequest, ServiceError } from '../lib/errors.ts'
import { chooseEngine, engineNameOf, type Purpose } from './choose-engine.ts'
import { checkPicture, mostPictureBytes } from './check-picture.ts'
import { knowsAuto, parseSize } from './config.ts'
import type { EngineClient } from './engines/engine-client.ts'
import type { PictureWish } from './engines/engine.ts'
import type { ImagesSettings } from './images-settings.ts'
import type { Jobs } from './jobs.ts'
import { keepPicture, type KeepParts } from './keep-picture.ts'
import { loadSource, type LoadedSource, type SourceParts } from './load-source.ts'

export interface MakeParts extends KeepParts, SourceParts {
  readonly settings: ImagesSettings
  readonly client: EngineClient
  readonly jobs: Jobs
}

/** Request parameters of a user; absent fields use the configured values. */
export interface MakeRequest {
  readonly prompt: string
  readonly model?: string | null
  readonly size?: string | null
  readonly n?: number | null
  readonly steps?: number | null
  readonly negative_prompt?: string | null
  readonly seed?: number | null
  readonly background?: string | null
  /** Images to edit; absent for new ones. */
  readonly images?: readonly string[]
}

/** Requester, origin and progress channel of a request. */
export interface MakeOptions {
  readonly userId: string
  readonly chatId: string | null
  readonly messageId: string | null
  /** Gallery images these are derived from. */
  readonly sourceIds?: readonly string[]
  readonly jobId?: string | null
  readonly signal: AbortSignal
  readonly onProgress?: (done: number | null, total: number | null) => void
}

/** Parses the requested size; throws 400 if it is invalid. */
function readSize(text: string, model: string): Pick<PictureWish, 'size' | 'width' | 'height'> {
  const size = text.trim()
  if (size === '' || (size === 'auto' && knowsAuto(model)))
    return { size, width: null, height: null }
  const parsed = parseSize(size)
  if (!parsed)
    throw badRequest(
      `The size ${JSON.stringify(size.slice(0, 50))} is none. Write it as 512x512.`,
      { code: 'invalid_size' },
    )
  return { size, ...parsed }
}

function toWish(
  settings: ImagesSettings,
  request: MakeRequest,
  sources: readonly LoadedSource[],
): PictureWish {
  const purpose = purposeOf(request)
  const engine = engineNameOf(settings, purpose)
  const configured = settings.get(
    purpose === 'make' ? 'IMAGE_GENERATION_MODEL' : 'IMAGE_EDIT_MODEL',
  )
  // As in the reference API: users choose the model only for edits and for other engines.
  const isFixed = purpose === 'make' && engine === 'openai'
  const model = isFixed ? configured || 'dall-e-2' : (request.model ?? '') || configured
  // SDKs write this word for the usual size: the configured one, for models that do not know it.
  const wanted = request.size === 'auto' && !knowsAuto(model) ? null : request.size
  const size = wanted ?? settings.get(purpose === 'make' ? 'IMAGE_SIZE' : 'IMAGE_EDIT_SIZE')
  return {
    prompt: request.prompt,
    negativePrompt: request.negative_prompt ?? '',
    model,
    ...readSize(size, model),
    n: request.n ?? 1,
    steps: request.steps ?? null,
    seed: request.seed ?? null,
    background: request.background ?? null,
    sources,
  }
}

const purposeOf = ({ images }: MakeRequest): Purpose => (images ? 'edit' : 'make')

async function loadSources(
  parts: MakeParts,
  { userId }: MakeOptions,
  images: readonly string[],
  signal: AbortSignal,
) {
  const sources: LoadedSource[] = []
  for (const image of images) sources.push(await loadSource(parts, userId, image, signal))
  return sources
}

/** Makes images and stores them; throws 400 with an error message for any failure. */
export function makePictures(
  parts: MakeParts,
  request: MakeRequest,
  options: MakeOptions,
): Promise<Picture[]> {
  const { settings, client, jobs } = parts
  const { userId, jobId = null, chatId, messageId, onProgress = () => undefined } = options
  const making = jobs.run({ userId, jobId, signal: options.signal }, async (signal) => {
    const purpose = purposeOf(request)
    const make = chooseEngine(settings, purpose)
    const sources = await loadSources(parts, options, request.images ?? [], signal)
    const wish = toWish(settings, request, sources)
    const run = { client, signal, pictureBytes: mostPictureBytes(settings), onProgress }
    const made = await make(wish, run)
    const checked = made.pictures.map(({ bytes, seed }) => ({
      picture: checkPicture(settings, bytes),
      seed,
    }))
    const sourceIds =
      options.sourceIds ?? sources.flatMap(({ fileId }) => (fileId === null ? [] : [fileId]))
    const about = {
      kind: purpose === 'make' ? ('generated' as const) : ('edited' as const),
      engine: engineNameOf(settings, purpose),
      model: made.model,
      prompt: wish.prompt,
      negative_prompt: wish.negativePrompt,
      size: wish.size,
      steps: made.steps,
      chat_id: chatId,
      message_id: messageId,
      sourceIds,
    }
    const { images: _images, ...sent } = request
    const kept: Picture[] = []
    for (const { picture, seed } of checked) {
      signal.throwIfAborted()
      kept.push(
        await keepPicture(parts, userId, picture, {
          facts: { ...about, seed },
          sent: { ...sent, model: made.model },
        }),
      )
    }
    return kept
  })
  return making.catch((error: unknown) => {
    throw toRefusal(error)
  })
}

/** As in the reference API, a URL that cannot be fetched is an error of the request. */
const toRefusal = (error: unknown): unknown =>
  error instanceof ServiceError && (error.status === 502 || error.status === 504)
    ? badRequest(error.message, { code: error.code, cause: error })
    : error
