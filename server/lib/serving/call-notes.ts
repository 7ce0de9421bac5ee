import type { IgnoredReason } from '#contract/requests.ts'
import { isRecord } from '../is-record.ts'

/** One attempt to get an answer from a connection. */
export interface Attempt {
  /** Name of the connection. */
  readonly connection: string
  /** Path below its URL. */
  readonly path: string
  /** Null if there was no response. */
  readonly status: number | null
  /** Error code of a failed attempt. */
  readonly error: string | null
  /** Time until the answer started, or the error occurred. */
  readonly milliseconds: number
  /** Sent body in displayable form; null if it is not kept or the same as before. */
  body: string | null
}

/** Attempt as known to its sender. */
type Tried = Omit<Attempt, 'body'> & { readonly body: unknown }

/** Converts a sent body into displayable text. */
export type ShowBody = (body: Buffer) => string

const MOST_ATTEMPTS = 20
const MOST_BODIES = 8
const MOST_FIELDS = 200
const LONGEST_NAME = 100

/**
 * Notes about a call to a model: attempts, and fields that were translated or left out. One is
 * created for every recorded call, so it allocates nothing until there is something to note.
 */
export class CallNotes {
  readonly #showBody: ShowBody | null
  #attempts: Attempt[] | null = null
  #fields: Map<string, IgnoredReason | null> | null = null
  /** Bodies that are converted for display when the call ends, by the index of their attempt. */
  #waiting: Buffer[] | null = null
  #lastBody: unknown = null
  #hasEnded = false
  /** True if the answer is stored in a chat, where its tokens are counted. */
  isOwned = false
  /** Called with the number of characters added after the call ended. */
  onGrowth: ((characters: number) => void) | null = null

  /** `showBody` is null if bodies are not kept. */
  constructor(showBody: ShowBody | null) {
    this.#showBody = showBody
  }

  /** Adds an attempt; only the first ones are kept. */
  addAttempt({ connection, path, status, error, milliseconds, body }: Tried): void {
    const attempts = (this.#attempts ??= [])
    if (attempts.length === MOST_ATTEMPTS) return
    attempts.push({ connection, path, status, error, milliseconds, body: null })
    if (
      this.#showBody !== null &&
      attempts.length <= MOST_BODIES &&
      Buffer.isBuffer(body) &&
      body !== this.#lastBody
    ) {
      this.#keepBody(attempts.length - 1, body)
    }
  }

  #keepBody(place: number, body: Buffer): void {
    this.#lastBody = body
    if (!this.#hasEnded) (this.#waiting ??= [])[place] = body
    else this.onGrowth?.(this.#show(place, body))
  }

  /** Returns the number of characters of the displayed body. */
  #show(place: number, body: Buffer): number {
    const text = this.#showBody!(body)
    this.#attempts![place]!.body = text
    return text.length
  }

  /** Notes a field sent in another form. A field ignored elsewhere remains ignored. */
  translated(field: string): void {
    this.#note(field, null)
  }

  /** Notes a field that does not reach the model. */
  ignored(field: string, reason: IgnoredReason): void {
    this.#note(field, reason)
  }

  #note(field: string, reason: IgnoredReason | null): void {
    const fields = (this.#fields ??= new Map<string, IgnoredReason | null>())
    const name = field.slice(0, LONGEST_NAME)
    if (fields.size < MOST_FIELDS || fields.has(name))
      fields.set(name, reason ?? fields.get(name) ?? null)
  }

  /** Called when the call has ended: releases the bytes. */
  settle(): void {
    this.#hasEnded = true
    this.#waiting?.forEach((body, place) => this.#show(place, body))
    this.#waiting = null
    this.#lastBody = null
  }

  get attempts(): readonly Attempt[] {
    return this.#attempts ?? []
  }

  get translatedFields(): string[] {
    return [...(this.#fields ?? [])].flatMap(([name, reason]) => (reason === null ? [name] : []))
  }

  get ignoredFields(): { field: string; reason: IgnoredReason }[] {
    return [...(this.#fields ?? [])].flatMap(([field, reason]) =>
      reason === null ? [] : [{ field, reason }],
    )
  }

  /** Number of characters of the stored bodies. */
  get size(): number {
    return this.attempts.reduce((sum, { body }) => sum + (body?.length ?? 0), 0)
  }
}

/** Treatment of fields by one converter; all other fields are unknown to it and left out. */
export interface FieldRules {
  /** Fields sent unchanged. */
  readonly sent: ReadonlySet<string>
  readonly translated: ReadonlySet<string>
  readonly ignored: Readonly<Record<string, IgnoredReason>>
}

/**
 * Notes the treatment of the fields of an object, named with the prefix of their location; fields
 * without a value are skipped.
 */
export function noteFields(
  notes: CallNotes,
  fields: unknown,
  { sent, translated, ignored }: FieldRules,
  prefix = '',
): void {
  if (!isRecord(fields)) return
  for (const key of Object.keys(fields)) {
    if (fields[key] === undefined || fields[key] === null) continue
    const name = prefix + key
    if (sent.has(name)) continue
    if (translated.has(name)) notes.translated(name)
    else notes.ignored(name, Object.hasOwn(ignored, name) ? ignored[name]! : 'unknown')
  }
}
