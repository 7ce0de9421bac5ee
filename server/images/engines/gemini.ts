import { badRequest } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import {
  boundsOf,
  withoutSeeds,
  type EngineRun,
  type MakePictures,
  type PictureWish,
} from './engine.ts'
import type { LiftedJson } from './lift-pictures.ts'
import { NOTHING_MADE } from './openai.ts'
import { JsonPicture, jsonBody } from './write-body.ts'

export interface GeminiEndpoint {
  readonly base: string
  readonly key: string
  /** `predict` or `generateContent`; if empty, the model decides. */
  readonly method: string
}

const listOf = (value: unknown, key: string): unknown[] =>
  isRecord(value) && Array.isArray(value[key]) ? (value[key] as unknown[]) : []

function readPredictions({ value, picture }: LiftedJson): Buffer[] {
  const entries = listOf(value, 'predictions')
  return entries.flatMap((entry) =>
    isRecord(entry) ? (picture(entry['bytesBase64Encoded']) ?? []) : [],
  )
}

function readContent({ value, picture }: LiftedJson): Buffer[] {
  const parts = listOf(value, 'candidates').flatMap((candidate) =>
    listOf(isRecord(candidate) ? candidate['content'] : null, 'parts'),
  )
  return parts.flatMap((part) => {
    const inline = isRecord(part) ? (part['inlineData'] ?? part['inline_data']) : null
    return isRecord(inline) ? (picture(inline['data']) ?? []) : []
  })
}

/** Returns the model's explanation for making no image. */
function readReason({ value }: LiftedJson): string {
  const feedback =
    isRecord(value) && isRecord(value['promptFeedback'])
      ? value['promptFeedback']['blockReason']
      : null
  const [candidate] = listOf(value, 'candidates')
  const reason = feedback ?? (isRecord(candidate) ? candidate['finishReason'] : null)
  return typeof reason === 'string' ? ` (${reason.slice(0, 100)})` : ''
}

async function ask(
  { base, key }: GeminiEndpoint,
  path: string,
  body: unknown,
  run: EngineRun,
): Promise<LiftedJson> {
  const headers: Record<string, string> = key === '' ? {} : { 'x-goog-api-key': key }
  const call = { method: 'POST', headers, body: jsonBody(body), signal: run.signal } as const
  return run.client.json(`${base.replace(/\/+$/, '')}/models/${path}`, call, boundsOf(run))
}

function requireSome(pictures: Buffer[], answer: LiftedJson): Buffer[] {
  if (pictures.length > 0) return pictures
  throw badRequest(`${NOTHING_MADE.slice(0, -1)}${readReason(answer)}.`, {
    code: 'image_engine_failed',
  })
}

async function predict(
  endpoint: GeminiEndpoint,
  { prompt, model, n }: PictureWish,
  run: EngineRun,
): Promise<Buffer[]> {
  const count = Math.max(1, n)
  const body = {
    instances: { prompt },
    parameters: { sampleCount: count, outputOptions: { mimeType: 'image/png' } },
  }
  const answer = await ask(endpoint, `${encodeURIComponent(model)}:predict`, body, run)
  return requireSome(readPredictions(answer), answer)
}

async function generateContent(
  endpoint: GeminiEndpoint,
  wish: PictureWish,
  run: EngineRun,
): Promise<Buffer[]> {
  const { prompt, model, n, sources } = wish
  const count = Math.max(1, n)
  const pictures: Buffer[] = []
  const shown = sources.map(({ type, bytes }) => ({
    inlineData: { mimeType: type, data: new JsonPicture(bytes) },
  }))
  while (pictures.length < count) {
    run.onProgress(pictures.length, count)
    const body = { contents: [{ parts: [{ text: prompt }, ...shown] }] }
    const answer = await ask(endpoint, `${encodeURIComponent(model)}:generateContent`, body, run)
    pictures.push(...requireSome(readContent(answer), answer))
  }
  return pictures
}

const METHODS = { predict, generateContent } as const

/** The Gemini API, with its two methods for making images. */
export const makeWithGemini =
  (endpoint: GeminiEndpoint): MakePictures =>
  async (wish, run) => {
    const isEdit = wish.sources.length > 0
    const chosen =
      endpoint.method === ''
        ? /^gemini/i.test(wish.model)
          ? 'generateContent'
          : 'predict'
        : endpoint.method
    const method = isEdit ? 'generateContent' : chosen
    if (method !== 'predict' && method !== 'generateContent')
      throw badRequest('IMAGES_GEMINI_ENDPOINT_METHOD has to be predict or generateContent.', {
        code: 'image_engine_failed',
      })
    const pictures = await METHODS[method](endpoint, wish, run)
    return {
      pictures: withoutSeeds(pictures.slice(0, Math.max(1, wish.n))),
      steps: null,
      model: wish.model,
    }
  }
