import type { GatewayEvent, Status } from '#contract/events.ts'
import type { Picture } from '#contract/images.ts'
import type { Events } from '../events/index.ts'
import type { Files } from '../files/index.ts'
import type { Groups } from '../groups/index.ts'
import { GuardedFetch } from '../lib/outgoing/guarded-fetch.ts'
import type { Caller, Route } from '../lib/http.ts'
import type { Live } from '../live/index.ts'
import type { ImagesSettings } from './images-settings.ts'
import { readFetchPolicy } from '../retrieval/index.ts'
import type { Storage } from '../storage/index.ts'
import { checkPicture } from './check-picture.ts'
import { EngineClient } from './engines/engine-client.ts'
import { Jobs } from './jobs.ts'
import { keepPicture, type PictureFacts } from './keep-picture.ts'
import { loadSource } from './load-source.ts'
import {
  makePictures,
  type MakeOptions,
  type MakeParts,
  type MakeRequest,
} from './make-pictures.ts'
import { createImageRoutes } from './routes.ts'
import { PictureStore } from './store.ts'
import { isOffline } from '../settings/index.ts'
import type { Users } from '../users/index.ts'

export { readImageOptions, toWanted } from './image-options.ts'
export type { MakeOptions, MakeRequest } from './make-pictures.ts'

/** Dependencies of the domain. */
export interface ImagesDependencies {
  readonly storage: Storage
  readonly settings: ImagesSettings
  readonly groups: Groups
  readonly files: Files
  readonly events: Pick<Events, 'emit'>
  readonly users: Users
  /** The other gateways on the database. */
  readonly live: Live | null
}

/**
 * Reports the progress of an image in the status line of an answer, only a few times, because each
 * line is stored.
 */
export function tellPictures(tell: (event: GatewayEvent) => void, isEdit: boolean) {
  const say = (data: Omit<Status, 'action'>): void =>
    tell({ type: 'status', data: { action: 'image_generation', ...data } })
  const words = isEdit ? 'Editing the picture' : 'Making the picture'
  let told = 0
  return {
    begin: () => say({ description: `${words}…`, done: false }),
    progress: (done: number | null, total: number | null): void => {
      if (done === null || total === null || total <= 0 || done / total < told + SHARE_TOLD) return
      told = done / total
      say({
        description: `${words}: step ${done} of ${total}…`,
        done: false,
        progress: { done, total },
      })
    },
    end: (count: number) =>
      say({
        description: count === 1 ? 'The picture is there.' : `${count} pictures are there.`,
        done: true,
      }),
    fail: (reason: string) => say({ description: reason, done: true, error: true }),
    /** The answer itself states that it was stopped. */
    stop: () => say({ description: 'The picture was stopped.', done: true, hidden: true }),
  }
}
const SHARE_TOLD = 0.1

/** An image as messages list it in their files. */
export interface PictureFile {
  readonly [field: string]: unknown
  readonly type: 'image'
  readonly id: string
  readonly url: string
  readonly name: string
  readonly content_type: string
}

export const toPictureFile = ({
  id,
  url,
  filename,
  content_type: contentType,
}: Picture): PictureFile => ({
  type: 'image',
  id,
  url,
  name: filename,
  content_type: contentType,
})

/** Images made by users and images that come with answers; on the table of `0036-pictures`. */
export class Images {
  readonly routes: readonly Route[]
  readonly #parts: MakeParts
  readonly #groups: Groups

  constructor({ storage, settings, groups, files, events, users, live }: ImagesDependencies) {
    // Policy for image URLs from users and servers.
    const policy = () => ({
      ...readFetchPolicy(settings),
      maximumBytes: settings.get('IMAGE_MAX_SIZE') * 1_000_000,
    })
    const guardedFetch = new GuardedFetch(policy, { purpose: { kind: 'pictures' } })
    const store = new PictureStore(storage)
    const client = new EngineClient({
      isOffline: () => isOffline(settings),
      guarded: guardedFetch,
    })
    const jobs = new Jobs(settings, live)
    this.#parts = { store, files, settings, client, guardedFetch, jobs }
    this.#groups = groups
    files.onRemoved((id) => store.remove(id))
    users.onBarred((userId) => jobs.stopAll(userId))
    this.routes = createImageRoutes({ ...this.#parts, settings, events })
  }

  /**
   * Starts receiving the calls of other gateways; must be awaited before the gateway serves
   * requests.
   */
  open(): Promise<void> {
    return this.#parts.jobs.open()
  }

  /** Reports whether a user may make images. */
  async mayMake(caller: Caller): Promise<boolean> {
    return this.#parts.settings.get('ENABLE_IMAGE_GENERATION') && (await this.#isPermitted(caller))
  }

  async mayEdit(caller: Caller): Promise<boolean> {
    return this.#parts.settings.get('ENABLE_IMAGE_EDIT') && (await this.#isPermitted(caller))
  }

  /** Makes images, or edits those of `images`; throws 400 with an error message on failure. */
  make(request: MakeRequest, options: MakeOptions): Promise<Picture[]> {
    return makePictures(this.#parts, request, options)
  }

  /**
   * Stores an image that an answer names by a `data:` URL, a web URL, or the id of an existing
   * file.
   */
  async keepFrom(
    ownerId: string,
    address: string,
    facts: Pick<PictureFacts, 'model' | 'prompt' | 'chat_id' | 'message_id'>,
    signal: AbortSignal,
  ): Promise<Picture> {
    const { bytes } = await loadSource(this.#parts, ownerId, address, signal)
    return this.keep(ownerId, bytes, facts)
  }

  /** Stores an image that came with an answer. Throws 400 if it is not an image or too large. */
  keep(
    ownerId: string,
    bytes: Buffer,
    facts: Pick<PictureFacts, 'model' | 'prompt' | 'chat_id' | 'message_id'>,
  ): Promise<Picture> {
    const all = {
      kind: 'received',
      engine: '',
      negative_prompt: '',
      size: '',
      seed: null,
      steps: null,
      sourceIds: [],
      ...facts,
    } as const
    return keepPicture(this.#parts, ownerId, checkPicture(this.#parts.settings, bytes), {
      facts: all,
      sent: { model: facts.model },
    })
  }

  close(): Promise<void> {
    return this.#parts.client.close()
  }

  async #isPermitted(caller: Caller): Promise<boolean> {
    return (
      caller.role === 'admin' || (await this.#groups.allows(caller, 'features.image_generation'))
    )
  }
}
