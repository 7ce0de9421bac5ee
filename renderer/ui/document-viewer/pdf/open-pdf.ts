import {
  getDocument,
  PDFWorker,
  type PDFDocumentProxy,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { withBase } from '../../../lib/base-path.ts'
import { trustAddress } from '../../../lib/trusted-types.ts'

/** Build output path of the PDF reader's parts that are loaded on demand. */
const PARTS = withBase(`/assets/pdf-${version}/`)
const WORKER = `${PARTS}worker.js`
/**
 * Number of bytes requested at a time from a long file, which is read only as far as the viewed
 * pages need.
 */
const CHUNK = 512 * 1024
/**
 * Maximum number of pixels of an embedded picture; larger ones stay blank, since they could exhaust
 * the memory.
 */
const LARGEST_PICTURE = 64 * 1024 * 1024

/** An open PDF file. `close` terminates its worker, even while the file is loading. */
export interface OpenedPdf {
  readonly document: Promise<PDFDocumentProxy>
  close(): void
}

/**
 * Opens a PDF file of this gateway.
 * @NOTE Nothing of the file is executed: there is no scripting and no form, and the worker's own
 *   policy blocks all network access. The WebAssembly parts would need an exception to that policy,
 *   so the plain JavaScript ones are used.
 */
export function openPdf(address: string): OpenedPdf {
  const port = new Worker(trustAddress('pdf', WORKER), { type: 'module', name: 'pdf' })
  const worker = PDFWorker.create({ port })
  const task = getDocument({
    url: address,
    worker,
    rangeChunkSize: CHUNK,
    disableAutoFetch: true,
    disableStream: true,
    cMapUrl: `${PARTS}cmaps/`,
    standardFontDataUrl: `${PARTS}standard_fonts/`,
    wasmUrl: `${PARTS}wasm/`,
    useWasm: false,
    useWorkerFetch: false,
    disableWorkerRendering: true,
    maxImageSize: LARGEST_PICTURE,
    verbosity: 0,
  })
  return {
    document: task.promise,
    close() {
      void task.destroy().finally(() => {
        worker.destroy()
        port.terminate()
      })
    },
  }
}
