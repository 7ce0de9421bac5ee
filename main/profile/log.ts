import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { pino, type Logger } from 'pino'

export type { Logger }

const SIZE_LIMIT = 5 * 1024 * 1024
const KEPT_FILES = 3

/**
 * A log file that is renamed to `.1`, `.2` … when it exceeds its limit; the oldest one is deleted.
 */
export class LogFile {
  readonly path: string
  readonly #sizeLimit: number
  #size: number

  constructor(folder: string, sizeLimit = SIZE_LIMIT) {
    this.path = path.join(folder, 'chat-gateway.log')
    this.#sizeLimit = sizeLimit
    this.#size = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0
  }

  /** The line is lost if the disk is full or read-only, because a log must not end the app. */
  write(text: string): void {
    try {
      this.#append(text)
    } catch {
      // There is no other place to report this.
    }
  }

  #append(text: string): void {
    mkdirSync(path.dirname(this.path), { recursive: true, mode: 0o700 })
    if (this.#size > 0 && this.#size + text.length > this.#sizeLimit) {
      rotate(this.path)
      this.#size = 0
    }
    appendFileSync(this.path, text, { mode: 0o600 })
    this.#size += Buffer.byteLength(text)
  }
}

function rotate(file: string): void {
  rmSync(`${file}.${KEPT_FILES}`, { force: true })
  for (let age = KEPT_FILES - 1; age >= 1; age -= 1) {
    if (statSync(`${file}.${age}`, { throwIfNoEntry: false }))
      renameSync(`${file}.${age}`, `${file}.${age + 1}`)
  }
  renameSync(file, `${file}.1`)
}

/** Creates the shell's own logger; `write` receives each entry as one line of JSON. */
export const createLogger = (level: string, write: (line: string) => void): Logger =>
  pino(
    {
      level,
      base: { name: 'shell' },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: pino.stdSerializers.err },
    },
    { write },
  )
