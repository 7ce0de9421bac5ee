import { badRequest } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import {
  boundsOf,
  withoutSeeds,
  type EngineRun,
  type MakePictures,
  type PictureWish,
} from './engine.ts'
import { addressOf, authorization, NOTHING_MADE, readPicture, type Endpoint } from './openai.ts'
import { JsonPicture, jsonBody } from './write-body.ts'

/** Returns the image URLs of an answer, from its `images` and from the parts of its content. */
function listAddresses(answer: unknown): unknown[] {
  const choices =
    isRecord(answer) && Array.isArray(answer['choices']) ? (answer['choices'] as unknown[]) : []
  return choices.flatMap((choice) => {
    const message = isRecord(choice) && isRecord(choice['message']) ? choice['message'] : {}
    return [message['images'], message['content']].flatMap((parts) =>
      (Array.isArray(parts) ? (parts as unknown[]) : []).flatMap((part) => {
        const image = isRecord(part) ? part['image_url'] : null
        return isRecord(image) ? [image['url']] : typeof image === 'string' ? [image] : []
      }),
    )
  })
}

async function makeSome(
  endpoint: Endpoint,
  { prompt, model, sources }: PictureWish,
  run: EngineRun,
): Promise<Buffer[]> {
  const shown = sources.map(({ type, bytes }) => ({
    type: 'image_url',
    image_url: { url: new JsonPicture(bytes, `data:${type};base64,`) },
  }))
  const content = sources.length === 0 ? prompt : [{ type: 'text', text: prompt }, ...shown]
  const body = {
    model,
    messages: [{ role: 'user', content }],
    modalities: ['image', 'text'],
    stream: false,
    ...endpoint.params,
  }
  const call = {
    method: 'POST',
    headers: authorization(endpoint.key),
    body: jsonBody(body),
    signal: run.signal,
  } as const
  const answer = await run.client.json(
    addressOf(endpoint, '/chat/completions'),
    call,
    boundsOf(run),
  )
  const pictures: Buffer[] = []
  for (const address of listAddresses(answer.value)) {
    const picture = await readPicture(answer, address, {
      base: endpoint.base,
      key: endpoint.key,
      run,
    })
    if (picture) pictures.push(picture)
  }
  if (pictures.length === 0) throw badRequest(NOTHING_MADE, { code: 'image_engine_failed' })
  return pictures
}

/** Endpoints whose models return images in chat answers: one request per image. */
export const makeWithChat =
  (endpoint: Endpoint): MakePictures =>
  async (wish, run) => {
    const pictures: Buffer[] = []
    const wanted = Math.max(1, wish.n)
    while (pictures.length < wanted) {
      run.onProgress(pictures.length, wanted)
      pictures.push(...(await makeSome(endpoint, wish, run)))
    }
    return { pictures: withoutSeeds(pictures.slice(0, wanted)), steps: null, model: wish.model }
  }
