import { parentPort, workerData } from 'node:worker_threads'
import { writeHtml } from './write-html.ts'
import type { Fonts } from './fonts.ts'
import { writePdf, type PrintedText } from './write-pdf.ts'

/** Input of the thread. */
export type Rendering =
  | { readonly kind: 'html'; readonly markdown: string }
  | { readonly kind: 'pdf'; readonly chat: PrintedText; readonly fonts: Fonts }

/** Messages of the thread: the start of its work, and the result. */
export type RenderingReport<Answer> = 'begun' | { readonly answer: Answer }

const rendering = workerData as Rendering
const say = (report: RenderingReport<string | Buffer>): void => parentPort!.postMessage(report)
say('begun')
say({
  answer:
    rendering.kind === 'html'
      ? writeHtml(rendering.markdown)
      : await writePdf(rendering.chat, rendering.fonts),
})
