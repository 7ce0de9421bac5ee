import type { GatewayEvent } from '#contract/events.ts'
import type { Chats } from '../../chats/index.ts'
import type { Events } from '../../events/index.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Answer } from './answer.ts'
import type { LongSaves } from './long-saves.ts'
import type { Turn } from '../turn/open-turn.ts'

/**
 * Interval between two deltas of a run. With shorter intervals the frame headers outweigh the text
 * itself.
 */
const ANNOUNCE_EVERY_MS = 90
/** Saved text is never older than 500 ms: an interval may end just before this much has passed. */
const SAVE_AFTER_MS = 500 - ANNOUNCE_EVERY_MS
const SAVE_AFTER_UNITS = 4096
/** A long answer is rewritten as a whole by each save, so the step grows with it. */
const SAVE_STEP_SHARE = 16
/** Length from which a save waits for its turn among those of other answers. */
export const LONG_UNITS = SAVE_AFTER_UNITS * SAVE_STEP_SHARE

interface PublishOptions {
  turn: Turn
  answer: Answer
  chats: Pick<Chats, 'saveAnswer' | 'wovenText'>
  events: Pick<Events, 'emit'>
  longSaves: LongSaves
  log: Logger
  /** Called if the message was deleted while the answer was being written. */
  onGone: () => void
}

/**
 * Sends a growing answer to windows and saves it, at a rate that does not depend on the size of the
 * chunks.
 */
export class AnswerPublisher {
  readonly #options: PublishOptions
  readonly #content: ContentSender
  readonly #announceReasoning: (text: string) => void
  #timer: NodeJS.Timeout | null = null
  #isStopped = false
  #seenUnits: number
  #savedUnits: number
  #savedAt = performance.now()
  #takeBackSave: (() => void) | null = null
  /** Saves run one after the other, so that an older text never replaces a newer one. */
  #saving = Promise.resolve()

  constructor(options: PublishOptions) {
    const { turn, events, answer, chats } = options
    const emit = (data: GatewayEvent): void =>
      events.emit(turn.userId, { chat_id: turn.chatId, message_id: turn.messageId, data })
    const { content, reasoning } = answer
    this.#options = options
    const weave = (text: string) => chats.wovenText(turn.chatId, turn.messageId, text)
    this.#content = new ContentSender(weave, emit, content.length)
    this.#announceReasoning = createReasoningSender(emit, reasoning.length)
    this.#seenUnits = this.#savedUnits = content.length + reasoning.length
  }

  /** Must be called after every chunk. */
  changed(): void {
    const units = this.#countUnits()
    if (units === this.#seenUnits) return
    this.#seenUnits = units
    if (this.#timer === null) {
      this.#announce()
      this.#arm()
    }
    if (units - this.#savedUnits >= Math.max(SAVE_AFTER_UNITS, units / SAVE_STEP_SHARE))
      this.#saveSoon()
  }

  /** Announces the remaining text and waits for a running save; the caller does the final save. */
  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#takeBackSave?.()
    this.#announce()
    await this.#saving
  }

  #countUnits(): number {
    const { content, reasoning } = this.#options.answer
    return content.length + reasoning.length
  }

  #announce(): void {
    const { content, reasoning } = this.#options.answer
    this.#announceReasoning(reasoning)
    this.#content.send(content, { isLast: this.#isStopped })
  }

  #saveSoon(): void {
    if (this.#seenUnits < LONG_UNITS) void this.#save()
    else this.#takeBackSave ??= this.#options.longSaves.add(() => this.#save())
  }

  #save(): Promise<void> {
    this.#takeBackSave = null
    this.#savedAt = performance.now()
    this.#savedUnits = this.#countUnits()
    return (this.#saving = this.#saving.then(() => this.#write()))
  }

  async #write(): Promise<void> {
    if (this.#isStopped) return
    const { turn, answer, chats, log, onGone } = this.#options
    try {
      const patch = answer.reasoning === '' ? {} : { reasoning_content: answer.reasoning }
      const texts = { content: answer.content, ...patch }
      if (!(await chats.saveAnswer(turn.chatId, turn.messageId, texts))) onGone()
    } catch (error) {
      // The text is still in memory; the next save or the final one may succeed.
      log.warn({ error, chat_id: turn.chatId }, 'a growing answer could not be saved')
    }
  }

  #tick(): void {
    this.#timer = null
    this.#announce()
    const isUnsaved = this.#countUnits() > this.#savedUnits
    if (isUnsaved && performance.now() - this.#savedAt >= SAVE_AFTER_MS) this.#saveSoon()
    if (this.#content.isWaiting || this.#countUnits() > this.#savedUnits) this.#arm()
  }

  #arm(): void {
    this.#timer ??= setTimeout(() => this.#tick(), ANNOUNCE_EVERY_MS).unref()
  }
}

/**
 * Sends the text of an answer to windows. After an event that wrote into the message, the whole text
 * is sent once, because only the gateway knows at which position the event stands.
 */
class ContentSender {
  readonly #weave: (text: string) => { text: string; events: number }
  readonly #emit: (data: GatewayEvent) => void
  /** Number of characters of the run that were sent. */
  #sent: number
  #knownEvents = 0
  #isChanged = false
  isWaiting = false

  constructor(
    weave: (text: string) => { text: string; events: number },
    emit: (data: GatewayEvent) => void,
    begun: number,
  ) {
    this.#weave = weave
    this.#emit = emit
    this.#sent = begun
  }

  /** Sends the text added since the last call. */
  send(text: string, { isLast }: { isLast: boolean }): void {
    if (text.length === this.#sent) return
    const woven = this.#weave(text)
    const isNewlyChanged = woven.events !== this.#knownEvents
    this.#knownEvents = woven.events
    this.#isChanged ||= isNewlyChanged
    // An event is recorded just before it is sent to windows, and must not arrive after its text.
    this.isWaiting = isNewlyChanged && !isLast
    if (this.isWaiting) return
    if (this.#isChanged) this.#emit({ type: 'chat:message', data: { content: woven.text } })
    else {
      const content = text.slice(this.#sent)
      const offset = woven.text.length - content.length
      this.#emit({ type: 'chat:message:delta', data: { content, offset } })
    }
    this.#isChanged = false
    this.#sent = text.length
  }
}

/** Returns a function that sends the reasoning added since its last call, with its offset. */
function createReasoningSender(
  emit: (data: GatewayEvent) => void,
  begun: number,
): (text: string) => void {
  let offset = begun
  return (text) => {
    if (text.length === offset) return
    emit({ type: 'chat:reasoning:delta', data: { content: text.slice(offset), offset } })
    offset = text.length
  }
}
