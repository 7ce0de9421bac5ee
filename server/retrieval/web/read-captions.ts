import { z } from '#contract/lazy-zod.ts'
import { badRequest } from '../../lib/errors.ts'
import type { GuardedFetch } from '../../lib/outgoing/guarded-fetch.ts'
import type { WebPage } from './web-page.ts'

const VIDEO_HOSTS = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'www.youtube-nocookie.com',
  'youtu.be',
])
const VIDEO_ID = /^[\w-]{6,20}$/

const tracksSchema = z.array(
  z.object({ baseUrl: z.string(), languageCode: z.string(), kind: z.string().optional() }),
)
const captionsSchema = z.object({
  events: z.array(
    z.object({
      tStartMs: z.number().optional(),
      segs: z.array(z.object({ utf8: z.string().optional() })).optional(),
    }),
  ),
})
type Track = z.output<typeof tracksSchema>[number]

/** Returns the id of the video at a URL; null if it shows none. */
export function findVideo({ hostname, pathname, searchParams }: URL): string | null {
  if (!VIDEO_HOSTS.has(hostname)) return null
  const [first = '', second = ''] = pathname.split('/').filter(Boolean)
  const id =
    hostname === 'youtu.be'
      ? first
      : first === 'watch'
        ? searchParams.get('v')
        : ['shorts', 'embed', 'live'].includes(first)
          ? second
          : null
  return id !== null && VIDEO_ID.test(id) ? id : null
}

/** Returns the JSON list after a key in a script; ignores brackets inside strings. */
function cutList(text: string, key: string): string | null {
  const start = text.indexOf('[', text.indexOf(`"${key}":`))
  if (!text.includes(`"${key}":`) || start === -1) return null
  let depth = 0
  let inText = false
  for (let index = start; index < text.length; index += 1) {
    const character = text[index]
    if (inText) {
      if (character === '\\') index += 1
      else if (character === '"') inText = false
    } else if (character === '"') inText = true
    else if (character === '[') depth += 1
    else if (character === ']' && (depth -= 1) === 0) return text.slice(start, index + 1)
  }
  return null
}

function parse<Value>(schema: z.ZodType<Value>, text: string | null): Value | null {
  try {
    return text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null)
  } catch {
    return null
  }
}

/** Prefers written captions to automatic ones, then the requested languages to others. */
function chooseTrack(tracks: readonly Track[], languages: readonly string[]): Track | null {
  const place = ({ languageCode, kind }: Track): number => {
    const found = languages.findIndex(
      (wanted) => languageCode === wanted || languageCode.startsWith(`${wanted}-`),
    )
    return (found === -1 ? languages.length : found) * 2 + (kind === 'asr' ? 1 : 0)
  }
  return tracks.toSorted((one, other) => place(one) - place(other))[0] ?? null
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
}

function titleOf(html: string): string | null {
  const title = /<title>([^<]{1,500})<\/title>/i
    .exec(html)?.[1]
    ?.replace(/ - YouTube$/, '')
    .trim()
  return title
    ? title.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!)
    : null
}

const NO_CAPTIONS =
  'There are no captions for this video that can be read, so there is no text to take from it.'

/** Returns the captions of a video as text, one line per caption. */
export async function readCaptions(
  { fetch, languages }: { fetch: Pick<GuardedFetch, 'fetch'>; languages: readonly string[] },
  video: string,
  signal: AbortSignal,
): Promise<WebPage> {
  const url = `https://www.youtube.com/watch?v=${video}`
  const page = await fetch.fetch(url, {}, signal)
  const html = page.bytes.toString('utf8')
  const track = chooseTrack(parse(tracksSchema, cutList(html, 'captionTracks')) ?? [], languages)
  if (page.status !== 200 || !track) throw badRequest(NO_CAPTIONS, { code: 'no_captions' })
  const address = new URL(track.baseUrl, url)
  address.searchParams.set('fmt', 'json3')
  const reply = await fetch.fetch(address.href, {}, signal)
  const events = parse(captionsSchema, reply.bytes.toString('utf8'))?.events ?? []
  const lines = events
    .map(({ segs = [] }) =>
      segs
        .map(({ utf8 = '' }) => utf8)
        .join('')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(Boolean)
  const text = lines.join('\n')
  if (text === '') throw badRequest(NO_CAPTIONS, { code: 'no_captions' })
  const title = titleOf(html)
  const content = { text, format: 'text', title, pages: [], language: null, notices: [] } as const
  return { url, title, name: title ?? video, text, content }
}
