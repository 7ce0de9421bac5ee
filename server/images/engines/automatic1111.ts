import { setTimeout as pause } from 'node:timers/promises'
import { badRequest } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import {
  boundsOf,
  type EngineRun,
  type MadePicture,
  type MakePictures,
  type PictureWish,
} from './engine.ts'
import type { EngineCall, EngineClient } from './engine-client.ts'
import type { LiftedJson } from './lift-pictures.ts'
import { NOTHING_MADE } from './openai.ts'
import { JsonPicture, jsonBody } from './write-body.ts'
import { parseOrNull } from '../../lib/json/parse-or-null.ts'

export interface Automatic1111Server {
  readonly base: string
  /** `user:password`, or empty. */
  readonly auth: string
  readonly params: Readonly<Record<string, unknown>>
  readonly steps: number
}

const POLL_MILLISECONDS = 1000
/** Time limit for telling the server to stop, which happens after the call has ended. */
const STOP_MILLISECONDS = 5000
const NO_PICTURES = { pictureBytes: 0, pictures: 0 }

const addressOf = ({ base }: Pick<Automatic1111Server, 'base'>, path: string): string =>
  `${base.replace(/\/+$/, '')}/sdapi/v1/${path}`

export const headersOf = ({
  auth,
}: Pick<Automatic1111Server, 'auth'>): Readonly<Record<string, string>> =>
  auth === '' ? {} : { authorization: `Basic ${Buffer.from(auth).toString('base64')}` }

/** Returns the models of a server. */
export async function listAutomatic1111Models(
  server: Pick<Automatic1111Server, 'base' | 'auth'>,
  client: EngineClient,
  signal: AbortSignal,
): Promise<{ id: string; name: string }[]> {
  const { value } = await client.json(
    addressOf(server, 'sd-models'),
    { headers: headersOf(server), signal },
    NO_PICTURES,
  )
  return (Array.isArray(value) ? (value as unknown[]) : []).flatMap((entry) => {
    const { title, model_name: name } = isRecord(entry) ? entry : {}
    return typeof title === 'string'
      ? [{ id: title, name: typeof name === 'string' ? name : title }]
      : []
  })
}

/** Returns the options of a server; also used to check that it is reachable. */
export async function readOptions(
  server: Pick<Automatic1111Server, 'base' | 'auth'>,
  client: EngineClient,
  signal: AbortSignal,
) {
  const { value } = await client.json(
    addressOf(server, 'options'),
    { headers: headersOf(server), signal },
    NO_PICTURES,
  )
  if (!isRecord(value))
    throw badRequest('What is at this address is no AUTOMATIC1111 server.', {
      code: 'image_engine_failed',
    })
  return value
}

/** Loads the requested model if another one is loaded. */
async function chooseModel(
  server: Automatic1111Server,
  model: string,
  { client, signal }: EngineRun,
): Promise<string> {
  const loaded = (await readOptions(server, client, signal))['sd_model_checkpoint']
  if (model === '' || model === loaded) return typeof loaded === 'string' ? loaded : model
  const body = jsonBody({ sd_model_checkpoint: model })
  await client.tell(addressOf(server, 'options'), {
    method: 'POST',
    headers: headersOf(server),
    body,
    signal,
  })
  return model
}

/**
 * Polls the progress of the server until the call ends. The server does not report whose image it
 * is processing, so this relies on its single queue.
 */
async function watch(
  server: Automatic1111Server,
  run: EngineRun,
  signal: AbortSignal,
): Promise<void> {
  const address = addressOf(server, 'progress?skip_current_image=true')
  for (;;) {
    await pause(POLL_MILLISECONDS, undefined, { signal })
    const { value } = await run.client.json(
      address,
      { headers: headersOf(server), signal },
      NO_PICTURES,
    )
    const state = isRecord(value) && isRecord(value['state']) ? value['state'] : {}
    const [done, total] = [state['sampling_step'], state['sampling_steps']]
    if (typeof done === 'number' && typeof total === 'number' && total > 0)
      run.onProgress(Math.min(done, total), total)
  }
}

/** Progress is optional: the image is made without it. */
async function watchQuietly(...given: Parameters<typeof watch>): Promise<void> {
  try {
    await watch(...given)
  } catch {
    // The call has ended, or the server does not report progress.
  }
}

const writeBody = (
  { params, steps }: Automatic1111Server,
  wish: PictureWish,
): Record<string, unknown> => ({
  prompt: wish.prompt,
  batch_size: Math.max(1, wish.n),
  ...(wish.width !== null && { width: wish.width }),
  ...(wish.height !== null && { height: wish.height }),
  steps: wish.steps ?? steps,
  ...(wish.negativePrompt !== '' && { negative_prompt: wish.negativePrompt }),
  ...(wish.seed !== null && { seed: wish.seed }),
  ...params,
  ...(wish.sources.length > 0 && {
    init_images: wish.sources.map(({ bytes }) => new JsonPicture(bytes)),
  }),
})

function readMade(answer: LiftedJson, n: number): MadePicture[] {
  const { images, info } = isRecord(answer.value) ? answer.value : {}
  const seeds = readSeeds(info)
  const pictures = (Array.isArray(images) ? (images as unknown[]) : []).slice(0, Math.max(1, n))
  return pictures.flatMap((text, index) => {
    const bytes = answer.picture(text)
    return bytes ? [{ bytes, seed: seeds[index] ?? null }] : []
  })
}

/** The server sends its parameters as JSON within its JSON. */
function readSeeds(info: unknown): number[] {
  const value: unknown = typeof info === 'string' ? parseOrNull(info) : info
  const { all_seeds: all, seed } = isRecord(value) ? value : {}
  const seeds = Array.isArray(all) ? (all as unknown[]) : [seed]
  return seeds.filter((each): each is number => Number.isSafeInteger(each) && (each as number) >= 0)
}

/** AUTOMATIC1111 servers and those with the same API. */
export const makeWithAutomatic1111 =
  (server: Automatic1111Server): MakePictures =>
  async (wish, run) => {
    const { client, signal } = run
    const headers = headersOf(server)
    const model = await chooseModel(server, wish.model, run)
    const body = writeBody(server, wish)
    const call: EngineCall = { method: 'POST', headers, body: jsonBody(body), signal }
    const over = new AbortController()
    const watching = watchQuietly(server, run, AbortSignal.any([over.signal, signal]))
    try {
      const path = wish.sources.length > 0 ? 'img2img' : 'txt2img'
      const pictures = readMade(
        await client.json(addressOf(server, path), call, boundsOf(run)),
        wish.n,
      )
      if (pictures.length === 0) throw badRequest(NOTHING_MADE, { code: 'image_engine_failed' })
      const { steps } = body
      return { pictures, model, steps: typeof steps === 'number' ? steps : null }
    } catch (error) {
      if (signal.aborted) await interrupt(server, client)
      throw error
    } finally {
      over.abort()
      await watching
    }
  }

/**
 * @NOTE Closing the connection does not stop the server, which would continue to generate unused
 *   images.
 */
async function interrupt(server: Automatic1111Server, client: EngineClient): Promise<void> {
  try {
    const signal = AbortSignal.timeout(STOP_MILLISECONDS)
    await client.tell(addressOf(server, 'interrupt'), {
      method: 'POST',
      headers: headersOf(server),
      signal,
    })
  } catch {
    // The server is gone, and its work with it.
  }
}
