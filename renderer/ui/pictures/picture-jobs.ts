import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { ServerFrame } from '#contract/events.ts'
import type { Picture } from '#contract/images.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { socket } from '../../api/socket.ts'
import { readPicture, rememberPictures } from './known-pictures.ts'
import {
  insertBehind,
  whenForgotten,
  type PictureEntry,
  type PicturePlace,
} from './shown-pictures.ts'
import { newId } from '../../lib/new-id.ts'

/** Pictures to generate: from a prompt, with another seed, or from a picture and a prompt. */
export type PictureOrder =
  | {
      readonly kind: 'make'
      readonly prompt: string
      readonly size: string
      readonly count: number
      readonly seed: number | null
      readonly place: null
    }
  | { readonly kind: 'vary'; readonly sourceId: string; readonly place: PicturePlace | null }
  | {
      readonly kind: 'edit'
      readonly sourceId: string
      readonly prompt: string
      readonly place: PicturePlace | null
    }

/** A picture job that is running or has failed. */
export interface PictureJob {
  readonly id: string
  readonly order: PictureOrder
  /** Steps of the engine; null if it does not report them. */
  readonly done: number | null
  readonly total: number | null
  readonly isStopping: boolean
  /** Reason for the failure; null while running. */
  readonly problem: string | null
}

export type MadeListener = (pictures: readonly Picture[], order: PictureOrder) => void

export const pictureJobsStore = createStore<{ readonly jobs: readonly PictureJob[] }>(() => ({
  jobs: [],
}))

whenForgotten(() => pictureJobsStore.setState({ jobs: [] }))

const listeners = new Set<MadeListener>()
let isListening = false

/** Subscribes to all pictures generated in this window; returns the function that unsubscribes. */
export function onPicturesMade(listener: MadeListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(id: string, part: Partial<PictureJob>): void {
  pictureJobsStore.setState(({ jobs }) => ({
    jobs: jobs.map((job) => (job.id === id ? { ...job, ...part } : job)),
  }))
}

/** Removes a job from the list, such as one whose error was read. */
export const dropJob = (id: string): void =>
  pictureJobsStore.setState(({ jobs }) => ({ jobs: jobs.filter((job) => job.id !== id) }))

/** Processes the gateway's progress events of running calls. */
export function followProgress(frame: ServerFrame): void {
  if (frame.type !== 'events' || frame.data.type !== 'image:progress') return
  const { job_id: id, done, total } = frame.data.data
  change(id, { done, total })
}

function listen(): void {
  if (isListening) return
  isListening = true
  socket.onFrame(followProgress)
}

export const toEntry = ({ id, url, filename }: Picture): PictureEntry => ({
  id,
  url,
  name: filename,
})

const idIn = (url: string): string => /\/files\/([^/?]+)/.exec(url)?.[1] ?? ''

/** The response of the two reference routes contains only URLs. */
async function readMade(made: readonly { readonly url: string }[]): Promise<readonly Picture[]> {
  const pictures = await Promise.all(made.map(({ url }) => readPicture(idIn(url))))
  return pictures.filter((picture) => picture !== null)
}

async function send(order: PictureOrder, jobId: string): Promise<readonly Picture[]> {
  if (order.kind === 'vary') {
    return call(endpoints.images.vary, {
      params: { picture_id: order.sourceId },
      body: { n: 1, job_id: jobId },
    })
  }
  if (order.kind === 'edit') {
    const body = {
      image: `/api/v1/files/${order.sourceId}/content`,
      prompt: order.prompt,
      job_id: jobId,
    }
    return readMade(await call(endpoints.images.edit, { body }))
  }
  const body = {
    prompt: order.prompt,
    n: order.count,
    job_id: jobId,
    ...(order.size !== '' && { size: order.size }),
    ...(order.seed !== null && { seed: order.seed }),
  }
  return readMade(await call(endpoints.images.generate, { body }))
}

/** Stores pictures in the message they belong to, so that every window shows them. */
async function keepInMessage(
  { chatId, messageId }: PicturePlace,
  pictures: readonly Picture[],
): Promise<void> {
  const files = pictures.map(({ id, url, filename, content_type }) => ({
    type: 'image',
    id,
    url,
    name: filename,
    content_type,
  }))
  await call(endpoints.chats.messageEvent, {
    params: { chat_id: chatId, message_id: messageId },
    body: { type: 'files', data: { files } },
  })
}

async function finish(order: PictureOrder, pictures: readonly Picture[]): Promise<void> {
  rememberPictures(pictures)
  if (order.kind !== 'make') insertBehind(order.sourceId, pictures.map(toEntry))
  for (const listener of listeners) listener(pictures, order)
  if (order.place && pictures.length > 0) await keepInMessage(order.place, pictures)
}

/**
 * Generates pictures. Progress and errors are shown by the job list; the pictures are passed to the
 * listeners.
 */
export async function makePictures(order: PictureOrder): Promise<void> {
  listen()
  const id = newId()
  const job: PictureJob = { id, order, done: null, total: null, isStopping: false, problem: null }
  pictureJobsStore.setState(({ jobs }) => ({ jobs: [...jobs, job] }))
  try {
    await finish(order, await send(order, id))
    dropJob(id)
  } catch (thrown) {
    const isStopped =
      pictureJobsStore.getState().jobs.find((each) => each.id === id)?.isStopping === true
    if (isStopped) dropJob(id)
    else change(id, { problem: toSentence(thrown) })
  }
}

/** Stops a job, including its generation on the server. */
export async function stopJob(id: string): Promise<void> {
  change(id, { isStopping: true })
  try {
    await call(endpoints.images.stop, { params: { job_id: id } })
  } catch {
    // The job has ended meanwhile, or continues and reports that.
    change(id, { isStopping: false })
  }
}

/** Retries a failed job. */
export function retryJob({ id, order }: PictureJob): void {
  dropJob(id)
  void makePictures(order)
}

const NONE: readonly PictureJob[] = []

/**
 * Returns the jobs derived from pictures with these ids; for null, those that use only a prompt.
 */
export function useJobs(sourceIds: readonly string[] | null): readonly PictureJob[] {
  const jobs = useStore(pictureJobsStore, (state) => state.jobs)
  const found = jobs.filter(({ order }) =>
    order.kind === 'make'
      ? sourceIds === null
      : sourceIds !== null && sourceIds.includes(order.sourceId),
  )
  return found.length === 0 ? NONE : found
}
