import { expect, it } from 'vitest'
import type { GuardedFetch } from '../../lib/outgoing/guarded-fetch.ts'
import { findVideo, readCaptions } from './read-captions.ts'

const never = new AbortController().signal
const tracks = [
  { baseUrl: '/api/timedtext?v=abcdefgh&lang=de', languageCode: 'de' },
  { baseUrl: '/api/timedtext?v=abcdefgh&lang=en&kind=asr', languageCode: 'en', kind: 'asr' },
  {
    baseUrl: '/api/timedtext?v=abcdefgh&lang=en-GB',
    languageCode: 'en-GB',
    name: 'a ] in "a" name',
  },
]
const captions = {
  events: [
    { segs: [{ utf8: 'Hello\n' }, { utf8: 'there' }] },
    { tStartMs: 5 },
    { segs: [{ utf8: ' ' }] },
    { segs: [{ utf8: 'Bye' }] },
  ],
}

/**
 * Simulates the site: a page with the list of captions in a script, and the captions themselves.
 */
function answering(page: string, reply: unknown = captions) {
  const asked: string[] = []
  const fetch: Pick<GuardedFetch, 'fetch'> = {
    async fetch(url) {
      asked.push(url)
      const text = url.includes('/watch') ? page : JSON.stringify(reply)
      return { status: 200, headers: {}, url, bytes: Buffer.from(text) }
    },
  }
  return { fetch, asked }
}
const pageWith = (list: unknown) =>
  `<title>A &amp; B - YouTube</title><script>var x = {"captionTracks":${JSON.stringify(list)},"more":[]}</script>`
const read = (site: ReturnType<typeof answering>, languages: readonly string[]) =>
  readCaptions({ fetch: site.fetch, languages }, 'abcdefgh', never)

it.each([
  ['https://www.youtube.com/watch?v=abcdefgh&t=1', 'abcdefgh'],
  ['https://youtu.be/abcdefgh', 'abcdefgh'],
  ['https://m.youtube.com/shorts/abcdefgh', 'abcdefgh'],
  ['https://www.youtube.com/embed/abcdefgh', 'abcdefgh'],
  ['https://www.youtube.com/@channel', null],
  ['https://www.youtube.com/watch?v=../../x', null],
  ['https://youtube.com.example.org/watch?v=abcdefgh', null],
])('%s shows the video %s', (address, video) => {
  expect(findVideo(new URL(address))).toBe(video)
})

it('captions that people wrote in a wanted language come first', async () => {
  const site = answering(pageWith(tracks))
  const page = await read(site, ['en', 'de'])
  expect(page).toMatchObject({
    title: 'A & B',
    name: 'A & B',
    text: 'Hello there\nBye',
    url: 'https://www.youtube.com/watch?v=abcdefgh',
  })
  expect(site.asked[1]).toBe(
    'https://www.youtube.com/api/timedtext?v=abcdefgh&lang=en-GB&fmt=json3',
  )
  const german = answering(pageWith(tracks))
  await read(german, ['fr', 'de'])
  expect(german.asked[1]).toContain('lang=de')
})

it.each([
  ['<title>Without</title>', captions],
  [pageWith('none'), captions],
  [pageWith([]), captions],
  [pageWith(tracks), { events: [] }],
  [pageWith(tracks), 'nothing'],
  ['{"captionTracks":[{"baseUrl":"', captions],
])('a video without captions says so: %.40s', async (page, reply) => {
  await expect(read(answering(page, reply), ['en'])).rejects.toMatchObject({
    status: 400,
    code: 'no_captions',
  })
})
