import { isRecord } from '../../lib/is-record.ts'
import { badRequest } from '../../lib/errors.ts'
import {
  boundsOf,
  withoutSeeds,
  type EngineRun,
  type MakePictures,
  type PictureWish,
} from './engine.ts'
import type { LiftedJson } from './lift-pictures.ts'
import { formBody, jsonBody, type PieceBody } from './write-body.ts'

/** An endpoint set by an administrator. */
export interface Endpoint {
  readonly base: string
  readonly key: string
  readonly version: string
  readonly params: Readonly<Record<string, unknown>>
}

/** These models return base64 by default and refuse the parameter. */
const ANSWERS_WITH_BYTES = /^gpt-image/i

export const NOTHING_MADE = 'The image engine answered without a picture.'

export const authorization = (key: string): Readonly<Record<string, string>> =>
  key === '' ? {} : { authorization: `Bearer ${key}` }

export function addressOf(
  { base, version }: Pick<Endpoint, 'base' | 'version'>,
  path: string,
): string {
  const query = version === '' ? '' : `?api-version=${encodeURIComponent(version)}`
  return `${base.replace(/\/+$/, '')}${path}${query}`
}

function writeBody({ params }: Endpoint, wish: PictureWish): PieceBody {
  const { model, prompt, n, size, background, sources } = wish
  const fields = {
    model,
    prompt,
    n,
    ...(size !== '' && { size }),
    ...(background !== null && { background }),
    ...(!ANSWERS_WITH_BYTES.test(model) && { response_format: 'b64_json' }),
  }
  if (sources.length === 0) return jsonBody({ ...fields, ...params })
  const texts = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, String(value)]),
  )
  const name = sources.length === 1 ? 'image' : 'image[]'
  const files = sources.map(({ type, bytes }, index) => ({
    name,
    filename: `image-${index}.${type.slice(6)}`,
    type,
    bytes,
  }))
  return formBody(texts, files)
}

/** Reads an image from base64, a `data:` URL or the URL of a server. */
export async function readPicture(
  answer: LiftedJson,
  text: unknown,
  { base, key, run }: { base: string; key: string; run: EngineRun },
): Promise<Buffer | null> {
  if (typeof text === 'string' && /^https?:\/\//i.test(text)) {
    return run.client.fetchPicture(
      text,
      base,
      { signal: run.signal, headers: authorization(key) },
      run.pictureBytes,
    )
  }
  return answer.picture(text)
}

/** Endpoints with the API `/images/generations` and `/images/edits`. */
export const makeWithOpenAi =
  (endpoint: Endpoint): MakePictures =>
  async (wish, run) => {
    const path = wish.sources.length === 0 ? '/images/generations' : '/images/edits'
    const call = {
      method: 'POST',
      headers: authorization(endpoint.key),
      body: writeBody(endpoint, wish),
      signal: run.signal,
    } as const
    const answer = await run.client.json(addressOf(endpoint, path), call, boundsOf(run))
    const data = isRecord(answer.value) ? answer.value['data'] : null
    const entries = Array.isArray(data) ? data.slice(0, Math.max(1, wish.n)) : []
    const pictures: Buffer[] = []
    for (const entry of entries) {
      const { b64_json: bytes, url } = isRecord(entry) ? entry : {}
      const picture = await readPicture(answer, bytes ?? url, {
        base: endpoint.base,
        key: endpoint.key,
        run,
      })
      if (picture) pictures.push(picture)
    }
    if (pictures.length === 0) throw badRequest(NOTHING_MADE, { code: 'image_engine_failed' })
    return { pictures: withoutSeeds(pictures), steps: null, model: wish.model }
  }
