import { endpoints } from '#contract/endpoints.ts'
import type { PrintedChat } from '#contract/utils.ts'
import { withoutBlocks } from '../lib/text/answer-blocks.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Rendering } from './render-worker.ts'
import { RenderingTurns, type RenderingCaller } from './rendering-turns.ts'
import { findFonts, startRendering } from './start-rendering.ts'
import type { PrintedMessage, PrintedText } from './write-pdf.ts'

/** Renders users' text as pages and as HTML, in separate threads. */
export interface RenderingRoutes {
  readonly routes: readonly Route[]
}

/** Builds the routes; only the queue of tasks is kept between calls. */
export function createRendering(): RenderingRoutes {
  const turns = new RenderingTurns()
  const render = <Answer>(rendering: Rendering, caller: RenderingCaller): Promise<Answer> =>
    turns.run(caller, () => startRendering<Answer>(rendering, caller.signal))
  return {
    routes: [
      route(endpoints.utils.markdown, async ({ body, caller, signal }) => ({
        html: await render<string>(
          { kind: 'html', markdown: body.md },
          { userId: caller.userId, signal },
        ),
      })),
      httpRoute(endpoints.utils.pdf, async ({ body, caller, signal, response }) => {
        const bytes = await render<Uint8Array>(
          { kind: 'pdf', chat: toPrinted(body), fonts: findFonts() },
          { userId: caller.userId, signal },
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
