import type { GatewayEvent } from '#contract/events.ts'
import type { Chats } from '../chats/index.ts'
import type { Events } from '../events/index.ts'
import type { Logger } from '../lib/logger.ts'
import type { Answer } from './answer.ts'
import type { LongSaves } from './long-saves.ts'
import type { Turn } from './open-turn.ts'

/**
 * Tells windows about a growing answer and writes it down, at a pace that does not depend on the
 * size of the pieces.
 */
export interface AnswerPublisher {
  /** Call after every piece. */
  changed(): void
  /**
   * Announces what is left and waits for a save under way; the final one is somebody else's.
   */
  stop(): Promise<void>
}

/**
 * Between two deltas of a run. Shorter windows cost more in frame heads than the text itself
 * weighs.
 */
const ANNOUNCE_EVERY_MS = 90
/** Saved text is never older than 500 ms: a window may end just before this much has passed. */
const SAVE_AFTER_MS = 500 - ANNOUNCE_EVERY_MS
const SAVE_AFTER_UNITS = 4096
/** A long answer is written as a whole each time, so the step grows with it. */
const SAVE_STEP_SHARE = 16
/** From here on a save waits for its turn among those of other answers. */
export const LONG_UNITS = SAVE_AFTER_UNITS * SAVE_STEP_SHARE

interface PublishOptions {
  turn: Turn
  answer: Answer
  chats: Pick<Chats, 'saveAnswer'>
  events: Pick<Events, 'emit'>
  longSaves: LongSaves
  log: Logger
  /** The message was deleted while the answer was being written. */
  onGone: () => void
}

export function createAnswerPublisher({
  turn,
  answer,
  chats,
  events,
  longSaves,
  log,
  onGone,
}: PublishOptions): AnswerPublisher {
  const emit = (data: GatewayEvent): void =>
    events.emit(turn.userId, { chat_id: turn.chatId, message_id: turn.messageId, data })
  const { content, reasoning } = answer
  const announceContent = createDeltaSender('chat:message:delta', emit, content.length)
  const announceReasoning = createDeltaSender('chat:reasoning:delta', emit, reasoning.length)
  const countUnits = () => answer.content.length + answer.reasoning.length
  let timer: NodeJS.Timeout | null = null
  let isStopped = false
  let seenUnits = countUnits()
  let savedUnits = seenUnits
  let savedAt = performance.now()
  let takeBackSave: (() => void) | null = null
  /** Saves follow each other, so that an older text never replaces a newer one. */
  let saving = Promise.resolve()

  function announce(): void {
    announceReasoning(answer.reasoning)
    announceContent(answer.content)
  }

  function saveSoon(): void {
    if (seenUnits < LONG_UNITS) void save()
    else takeBackSave ??= longSaves.add(save)
  }

  function save(): Promise<void> {
    takeBackSave = null
    savedAt = performance.now()
    savedUnits = countUnits()
    return (saving = saving.then(write))
  }

  async function write(): Promise<void> {
    if (isStopped) return
    try {
      const patch = answer.reasoning === '' ? {} : { reasoning_content: answer.reasoning }
      const texts = { content: answer.content, ...patch }
      if (!(await chats.saveAnswer(turn.chatId, turn.messageId, texts))) onGone()
    } catch (error) {
      // The text is still in memory; the next save or the final one may succeed.
      log.warn({ error, chat_id: turn.chatId }, 'a growing answer could not be saved')
    }
  }

  function tick(): void {
    timer = null
    announce()
    const isUnsaved = countUnits() > savedUnits
    if (isUnsaved && performance.now() - savedAt >= SAVE_AFTER_MS) saveSoon()
    if (countUnits() > savedUnits) arm()
  }

  function arm(): void {
    timer ??= setTimeout(tick, ANNOUNCE_EVERY_MS).unref()
  }

  return {
    changed() {
      const units = countUnits()
      if (units === seenUnits) return
      seenUnits = units
      if (timer === null) {
        announce()
        arm()
      }
      if (units - savedUnits >= Math.max(SAVE_AFTER_UNITS, units / SAVE_STEP_SHARE)) saveSoon()
    },
    async stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
      timer = null
      takeBackSave?.()
      announce()
      await saving
    },
  }
}

/** Sends what a text has grown by since the last call, with the offset where it belongs. */
function createDeltaSender(
  type: 'chat:message:delta' | 'chat:reasoning:delta',
  emit: (data: GatewayEvent) => void,
  begun: number,
): (text: string) => void {
  let offset = begun
  return (text) => {
    if (text.length === offset) return
    emit({ type, data: { content: text.slice(offset), offset } })
    offset = text.length
  }
}
