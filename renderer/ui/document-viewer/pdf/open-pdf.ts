import {
  getDocument,
  PDFWorker,
  type PDFDocumentProxy,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { withBase } from '../../../lib/base-path.ts'
import { trustAddress } from '../../../lib/trusted-types.ts'

/** Where the build puts the parts of the reader that are loaded one by one. */
const PARTS = withBase(`/assets/pdf-${version}/`)
const WORKER = `${PARTS}worker.js`
/** Asked for at once of a long file; it is read as far as the pages that are looked at need it. */
const CHUNK = 512 * 1024
/** Pictures with more points than this stay blank, as a page of one would take all memory. */
const LARGEST_PICTURE = 64 * 1024 * 1024

/** A PDF file that is being read. `close` ends its worker, also while it is still loaded. */
export interface OpenedPdf {
  readonly document: Promise<PDFDocumentProxy>
  close(): void
}

/**
 * Opens a PDF file of this gateway.
 * @NOTE Nothing of the file runs: there is no scripting, no form, and the worker's own policy lets
 *   it reach nothing. The parts in
 * WebAssembly would need an exception of that policy, so that the plain ones are used.
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
