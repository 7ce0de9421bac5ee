import type { IgnoredReason } from '#contract/requests.ts'
import { isRecord } from './is-record.ts'

/** One try to get an answer from a connection. */
export interface Attempt {
  /** Name of the connection. */
  readonly connection: string
  /** Path below its address. */
  readonly path: string
  /** Null when no answer came. */
  readonly status: number | null
  /** Code of the fault of a try that failed. */
  readonly error: string | null
  /** Until the answer began, or the fault was there. */
  readonly milliseconds: number
  /**
   * What was sent, as it may be shown; null where nothing is kept of it or it is the same as
   * before.
   */
  body: string | null
}

/** What a connection was asked, as whoever sends it knows it. */
type Tried = Omit<Attempt, 'body'> & { readonly body: unknown }

/** Turns what was sent into a text that may be shown. */
export type ShowBody = (body: Buffer) => string

const MOST_ATTEMPTS = 20
const MOST_BODIES = 8
const MOST_FIELDS = 200
const LONGEST_NAME = 100

/**
 * What became of a call on its way to a model: tries, and fields that were translated or left out.
 * One is made for every recorded call, so it holds nothing until there is something to note.
 */
export class CallNotes {
  readonly #showBody: ShowBody | null
  #attempts: Attempt[] | null = null
  #fields: Map<string, IgnoredReason | null> | null = null
  /** Bodies that are made presentable when the call ends, by the place of their try. */
  #waiting: Buffer[] | null = null
  #lastBody: unknown = null
  #hasEnded = false
  /** The answer is kept in a chat, where its tokens are counted. */
  isOwned = false
  /** Hears how many characters joined after the call ended. */
  onGrowth: ((characters: number) => void) | null = null

  /** `showBody` is null when bodies are not kept. */
  constructor(showBody: ShowBody | null) {
    this.#showBody = showBody
  }

  /** Tries beyond the first ones are not kept. */
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

  /** Answers how many characters it has. */
  #show(place: number, body: Buffer): number {
    const text = this.#showBody!(body)
    this.#attempts![place]!.body = text
    return text.length
  }

  /** The field has other words there. One that was ignored later stays so. */
  translated(field: string): void {
    this.#note(field, null)
  }

  /** The field does not reach the model. */
  ignored(field: string, reason: IgnoredReason): void {
    this.#note(field, reason)
  }

  #note(field: string, reason: IgnoredReason | null): void {
    const fields = (this.#fields ??= new Map<string, IgnoredReason | null>())
    const name = field.slice(0, LONGEST_NAME)
    if (fields.size < MOST_FIELDS || fields.has(name))
      fields.set(name, reason ?? fields.get(name) ?? null)
  }

  /** The call has ended: lets go of the bytes. */
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

  /** Characters of what is kept of bodies. */
  get size(): number {
    return this.attempts.reduce((sum, { body }) => sum + (body?.length ?? 0), 0)
  }
}

/**
 * What one converter does with the fields it is given; all others are unknown to it and left out.
 */
export interface FieldRules {
  /** Go on as they are. */
  readonly sent: ReadonlySet<string>
  readonly translated: ReadonlySet<string>
  readonly ignored: Readonly<Record<string, IgnoredReason>>
}

/**
 * Notes what becomes of the fields of an object, named with the prefix of their place; those
 * without a value are passed over.
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
