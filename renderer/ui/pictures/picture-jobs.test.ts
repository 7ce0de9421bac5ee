import { afterEach, expect, it, vi } from 'vitest'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import { samplePicture } from '../../testing/picture-samples.ts'
import {
  dropJob,
  followProgress,
  makePictures,
  onPicturesMade,
  pictureJobsStore,
  stopJob,
} from './picture-jobs.ts'
import {
  closePictures,
  forgetPictures,
  showPictures,
  shownPicturesStore,
} from './shown-pictures.ts'
import {
  choosePictures,
  followChoice,
  pictureChoice,
  toChoice,
  toImageOptions,
  toSeed,
} from './picture-choice.ts'

const rights = { mayMake: true, mayEdit: true }
const VARY = 'POST /api/v1/images/gallery/p1/variations'
const EVENT = 'POST /api/v1/chats/c/messages/m/event'
const jobs = () => pictureJobsStore.getState().jobs

afterEach(() => {
  forgetPictures()
  vi.unstubAllGlobals()
})

it('a variation stands behind its picture, in sight, and is kept with the message', async () => {
  const made = samplePicture({ id: 'p2' })
  const gateway = fakeGateway({ [VARY]: [made], [EVENT]: true })
  const heard: unknown[] = []
  const stop = onPicturesMade((pictures) => heard.push(...pictures))
  const entries = ['p1', 'p9'].map((id) => ({ id, url: `/api/v1/files/${id}/content`, name: id }))
  showPictures({ entries, index: 0, place: null, rights, isEditing: false })
  await makePictures({ kind: 'vary', sourceId: 'p1', place: { chatId: 'c', messageId: 'm' } })
  stop()
  expect(shownPicturesStore.getState().shown).toMatchObject({
    index: 1,
    entries: [{ id: 'p1' }, { id: 'p2' }, { id: 'p9' }],
  })
  expect(heard).toEqual([made])
  expect(gateway.calls.find(({ path }) => path.endsWith('/event'))?.body).toEqual({
    type: 'files',
    data: {
      files: [
        { type: 'image', id: 'p2', url: made.url, name: made.filename, content_type: 'image/png' },
      ],
    },
  })
  expect(jobs()).toEqual([])
})

it('whoever turned the page meanwhile stays with the picture in sight', async () => {
  fakeGateway({ [VARY]: [samplePicture({ id: 'p2' })] })
  const entries = ['p1', 'p9'].map((id) => ({ id, url: id, name: id }))
  showPictures({ entries, index: 1, place: null, rights, isEditing: false })
  await makePictures({ kind: 'vary', sourceId: 'p1', place: null })
  const { shown } = shownPicturesStore.getState()
  expect(shown?.entries[shown.index]?.id).toBe('p9')
  closePictures()
})

it('steps are followed, a stop reaches the gateway and leaves no problem behind', async () => {
  const begun = Promise.withResolvers<Response>()
  const gateway = fakeGateway({ 'POST /api/v1/images/generations': () => begun.promise })
  const making = makePictures({
    kind: 'make',
    prompt: 'A boat',
    size: '512x512',
    count: 2,
    seed: 7,
    place: null,
  })
  const { id } = jobs()[0]!
  expect(gateway.calls[0]?.body).toEqual({
    prompt: 'A boat',
    n: 2,
    job_id: id,
    size: '512x512',
    seed: 7,
  })
  followProgress({
    type: 'events',
    chat_id: null,
    message_id: null,
    data: { type: 'image:progress', data: { job_id: id, done: 3, total: 20 } },
  })
  expect(jobs()[0]).toMatchObject({ done: 3, total: 20 })
  gateway.answers[`POST /api/v1/images/jobs/${id}/stop`] = { status: true }
  await stopJob(id)
  begun.resolve(refusal(400, '[ERROR: stopped]'))
  await making
  expect(jobs()).toEqual([])
})

it('a failure stays with its reason until it was read', async () => {
  fakeGateway({
    'POST /api/v1/images/edit': refusal(400, '[ERROR: The server ran out of memory.]'),
  })
  await makePictures({ kind: 'edit', sourceId: 'p1', prompt: 'Winter', place: null })
  expect(jobs()[0]?.problem).toContain('out of memory')
  dropJob(jobs()[0]!.id)
  expect(jobs()).toEqual([])
})

it.each([
  [null, { size: '', count: 1, seed: null }],
  [
    { size: '1024x1024', count: 3, seed: 42 },
    { size: '1024x1024', count: 3, seed: 42 },
  ],
  [
    { size: 'large', count: 99, seed: -1 },
    { size: '', count: 4, seed: null },
  ],
  [
    { size: 1, count: '2', seed: 2 ** 32 },
    { size: '', count: 1, seed: null },
  ],
  ['no object', { size: '', count: 1, seed: null }],
])('the remembered choice %j is read as %j', (kept, choice) => {
  expect(toChoice(kept)).toEqual(choice)
})

it('a choice follows the account, is handed back to it, and goes with the person', () => {
  const kept: unknown[] = []
  followChoice({ size: '512x512', count: 2, seed: 0 }, (choice) => kept.push(choice))
  expect(toImageOptions(pictureChoice())).toEqual({ size: '512x512', n: 2, seed: 0 })
  choosePictures({ size: '', seed: toSeed('12') })
  expect(kept).toEqual([{ size: '', count: 2, seed: 12 }])
  expect(['', '-1', '1.5', '4294967296', 'x'].map(toSeed)).toEqual([null, null, null, null, null])
  forgetPictures()
  choosePictures({})
  expect([toImageOptions(pictureChoice()), kept.length]).toEqual([{}, 1])
})
