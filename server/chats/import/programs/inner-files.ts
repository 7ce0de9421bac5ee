import path from 'node:path'
import type { AttachedFile } from '../build-body.ts'
import type { Intake } from './program.ts'

const HEAD = /^data:([a-z]+)\/([\w.+-]{1,100});base64$/
const LARGEST_TEXT = 64 * 1024 * 1024
const LONGEST_NAME = 200

/** Reports attachments that cannot be imported. */
export const toLeftNote = (count: number): string =>
  `${count} attachments are left out; their names stand in the messages.`

function decode(url: string): { bytes: Buffer; usualName: string } | null {
  if (url.length > LARGEST_TEXT) return null
  const comma = url.indexOf(',')
  const [, kind, format] = HEAD.exec(url.slice(0, Math.max(0, comma))) ?? []
  if (kind === undefined || format === undefined) return null
  const text = url.slice(comma + 1)
  const bytes = Buffer.from(text, 'base64')
  // Decoding skips what is no base64, and stops where the text was cut.
  const isWhole = text.length % 4 === 0 && bytes.length === Buffer.byteLength(text, 'base64')
  return isWhole && bytes.length > 0 ? { bytes, usualName: `${kind}.${format}` } : null
}

/**
 * Takes files that a store holds inside of its messages, and counts those it cannot take: their names
 * stand in the messages instead.
 */
export class InnerFiles {
  readonly #intake: Intake
  #left = 0

  constructor(intake: Intake) {
    this.#intake = intake
  }

  /**
   * Returns the attachment of a file given as a `data:` URL; null if it is none, or too large. Names
   * may hold paths, of which only the last part is kept.
   */
  take(url: string, name: string): AttachedFile | null {
    const file = decode(url)
    if (!file) {
      this.#left += 1
      return null
    }
    const shown = path.win32.basename(name).slice(-LONGEST_NAME) || file.usualName
    const id = this.#intake.keepFile(shown, file.bytes)
    return { type: 'file', id, name: shown }
  }

  /** Reports how many were left out. */
  report(): void {
    if (this.#left > 0) this.#intake.note(toLeftNote(this.#left))
  }
}
