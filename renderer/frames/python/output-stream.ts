import type { OutputPiece } from '../../../server/contract/python-frame.ts'
import { send } from './close-worker.ts'

const SPACING_MILLISECONDS = 80

/**
 * Collects the output of a running cell and sends it to the page in larger pieces. The writer limits
 * its length.
 */
export class OutputStream {
  #pieces: OutputPiece[] = []
  #sentAt = 0

  write(stream: OutputPiece['stream'], text: string): void {
    const last = this.#pieces.at(-1)
    if (last?.stream === stream)
      this.#pieces[this.#pieces.length - 1] = { stream, text: last.text + text }
    else this.#pieces.push({ stream, text })
    if (performance.now() - this.#sentAt > SPACING_MILLISECONDS) this.flush()
  }

  flush(): void {
    if (this.#pieces.length > 0) send({ type: 'output', pieces: this.#pieces })
    this.#pieces = []
    this.#sentAt = performance.now()
  }
}
