import { createRequire } from 'node:module'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { readProgram } from '../config/program.ts'
import { isBundled, workerFile } from '../config/worker-file.ts'
import { badRequest } from '../lib/errors.ts'
import type { Rendering, RenderingReport } from './render-worker.ts'
import type { Fonts } from './fonts.ts'

const MEMORY_MEBIBYTES = 512
/**
 * Some texts take the Markdown parser disproportionately long; the time for pages grows with the
 * length of the text.
 */
const LONGEST_MILLISECONDS: Readonly<Record<Rendering['kind'], number>> = {
  html: 5000,
  pdf: 30_000,
}

/**
 * Returns fonts with glyphs of many alphabets; once bundled, copies beside the server's entry
 * point.
 */
export function findFonts(): Fonts {
  const folder = isBundled
    ? path.join(readProgram().folder, 'out', 'server', 'fonts')
    : path.join(
        path.dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
        'ttf',
      )
  const file = (name: string): string => path.join(folder, `${name}.ttf`)
  return { text: file('DejaVuSans'), bold: file('DejaVuSans-Bold'), code: file('DejaVuSansMono') }
}

/**
 * Renders in another thread, and is cancelled when the client disconnects; throws 400 for input
 * that takes too long or too much memory. The time starts when the thread has loaded its program,
 * which takes long on a busy computer.
 */
export function startRendering<Answer>(rendering: Rendering, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MEBIBYTES }
    const worker = new Worker(workerFile(import.meta.dirname, 'render-worker'), {
      workerData: rendering,
      resourceLimits,
      execArgv: [],
    })
    let timer: NodeJS.Timeout | undefined
    const stop = (): void => void worker.terminate()
    const refuse = (): void =>
      reject(
        badRequest('This text takes too long to be rendered. Send a shorter one.', {
          code: 'rendering_stopped',
        }),
      )
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    worker.on('message', (report: RenderingReport<Answer>) => {
      if (report === 'begun') timer = setTimeout(stop, LONGEST_MILLISECONDS[rendering.kind])
      else resolve(report.answer)
    })
    worker.once('error', (error: Error & { code?: string }) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? refuse() : reject(error),
    )
    worker.once('exit', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      refuse()
    })
  })
}
