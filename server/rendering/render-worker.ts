import { parentPort, workerData } from 'node:worker_threads'
import { writeHtml } from './write-html.ts'
import { writePdf, type Fonts, type PrintedText } from './write-pdf.ts'

/** What the thread is asked for. */
export type Rendering =
  | { readonly kind: 'html'; readonly markdown: string }
  | { readonly kind: 'pdf'; readonly chat: PrintedText; readonly fonts: Fonts }

const rendering = workerData as Rendering
if (rendering.kind === 'html') parentPort!.postMessage(writeHtml(rendering.markdown))
else parentPort!.postMessage(await writePdf(rendering.chat, rendering.fonts))
