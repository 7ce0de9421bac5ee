import { endpoints } from '#contract/endpoints.ts'
import type { PrintedChat } from '#contract/utils.ts'
import { withoutBlocks } from '../lib/answer-blocks.ts'
import { unavailable } from '../lib/errors.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Rendering } from './render-worker.ts'
import { findFonts, startRendering } from './start-rendering.ts'
import type { PrintedMessage, PrintedText } from './write-pdf.ts'

/** Renders users' text as pages and as HTML, in separate threads. */
export interface RenderingRoutes {
  readonly routes: readonly Route[]
}

const MOST_AT_ONCE = 2
const MOST_WAITING = 20

/**
 * Limits the number of concurrent tasks; others wait, and too many waiting ones are refused with
 * 503.
 */
function createTurns() {
  const waiting: (() => void)[] = []
  let running = 0
  return async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    if (waiting.length >= MOST_WAITING)
      throw unavailable('Too many texts are being rendered. Try again in a moment.', {
        code: 'busy',
      })
    if (running >= MOST_AT_ONCE) await new Promise<void>((resolve) => void waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** Builds the routes; no state is kept between calls. */
export function createRendering(): RenderingRoutes {
  const inTurn = createTurns()
  const render = <Answer>(rendering: Rendering, signal: AbortSignal): Promise<Answer> =>
    inTurn(() => startRendering<Answer>(rendering, signal))
  return {
    routes: [
      route(endpoints.utils.markdown, async ({ body, signal }) => ({
        html: await render<string>({ kind: 'html', markdown: body.md }, signal),
      })),
      httpRoute(endpoints.utils.pdf, async ({ body, signal, response }) => {
        const bytes = await render<Uint8Array>(
          { kind: 'pdf', chat: toPrinted(body), fonts: findFonts() },
          signal,
        )
        response.writeHead(200, {
          'Content-Type': 'application/pdf',
          'Content-Length': bytes.length,
          'Content-Disposition': 'attachment;filename=chat.pdf',
          'Cache-Control': 'no-store',
        })
        response.end(bytes)
      }),
    ],
  }
}

const MOST_NAMED = 5

/** Returns the day of the first message, and the models that answered. */
function toNote({ messages }: PrintedChat): string {
  const day = messages.map(({ timestamp }) => toTime(timestamp).slice(0, 10)).find(Boolean)
  const models = new Set(
    messages.flatMap(({ role, model }) => (role === 'assistant' && model ? [model] : [])),
  )
  return [...(day ? [day] : []), ...[...models].slice(0, MOST_NAMED)].join(' · ')
}

const toPrinted = ({ title, messages }: PrintedChat): PrintedText => ({
  title,
  note: toNote({ title, messages }),
  messages: messages.map(toMessage),
})

const NAMES = new Map([
  ['user', 'You'],
  ['system', 'System'],
  ['tool', 'Tool'],
  ['assistant', 'Assistant'],
])

function toMessage({
  role,
  content,
  model,
  timestamp,
}: PrintedChat['messages'][number]): PrintedMessage {
  const name = role === 'assistant' && model ? model : (NAMES.get(role ?? '') ?? role ?? '')
  return { speaker: name, time: toTime(timestamp), text: withoutBlocks(toText(content)) }
}

/** Returns the text, or the texts among the parts of a message. */
function toText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const texts = content.filter(isRecord).map(({ text }) => text)
  return texts.filter((text) => typeof text === 'string').join('\n')
}

function toTime(seconds: number | null | undefined): string {
  const time = new Date((seconds ?? Number.NaN) * 1000)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString().replace('T', ' ').slice(0, 16)
}
