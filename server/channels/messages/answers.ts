import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelEvent } from '#contract/channel-events.ts'
import { MENTION } from '#contract/channel-messages.ts'
import { tooLarge } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import { newId } from '../../lib/ids.ts'
import { toServiceError } from '../../lib/serving/to-error.ts'
import type { Task } from '../../tasks/index.ts'
import type { ChannelRow } from '../channel-store.ts'
import { GrowingText } from './growing-text.ts'
import type { MessageRow } from './message-store.ts'
import { type ChannelParts, type ModelQuestion } from '../parts.ts'
import { taskPlaceOf } from './to-message.ts'
import { findWords, mentionsIn, publish } from './post-message.ts'

/**
 * Maximum number of messages before the question that a model is shown, and of characters in all of
 * them.
 */
const MOST_SHOWN = 40
const MOST_LETTERS = 60_000
const LONGEST_ANSWER = 1_000_000
const CUT_OFF = 'The gateway stopped while this was written.'
const NOT_STORED = 'The answer could not be stored. Ask again.'
const STORE_PAUSE_MILLISECONDS = 1000
/** The database may be unavailable; the next start ends an answer that is given up. */
const MOST_TRIES = 600

/**
 * Returns the text of a message as a model is shown it, with mentions replaced by the names in
 * them.
 */
const toPlain = (text: string): string =>
  text.replace(MENTION, (_, sign: string, id: string, name?: string) => `${sign[0]}${name || id}`)

/**
 * Answers of models that messages mention, written into their threads while all users in the
 * channel see them grow.
 */
export class Answers {
  readonly #parts: ChannelParts

  constructor(parts: ChannelParts) {
    this.#parts = parts
  }

  /** Ends answers that a previous process left unfinished. */
  async endUnfinished(): Promise<void> {
    const running = new Set(this.#parts.tasks.list().map(({ messageId }) => messageId))
    await this.#parts.messages.endUnfinished(CUT_OFF, (id) => running.has(id))
  }

  /**
   * Starts an answer of each mentioned model that the author may use; others do not answer. Never
   * rejects, because the question is posted already: a client that is told of a failure would post
   * it again.
   */
  async begin(caller: Caller, channel: ChannelRow, question: MessageRow): Promise<void> {
    const mentioned = mentionsIn(question.content, '@M')
    if (mentioned.length === 0) return
    try {
      const models = await this.#parts.models.list(caller)
      for (const id of mentioned) {
        const model = models.find((each) => each.id === id)
        if (model) void this.#answer(caller, channel, { question, model })
      }
    } catch (error) {
      this.#parts.log.error({ error, channel_id: channel.id }, 'mentioned models could not be read')
    }
  }

  async #answer(
    caller: Caller,
    channel: ChannelRow,
    { question, model }: { question: MessageRow; model: { id: string; name: string } },
  ): Promise<void> {
    const { clock, log, tasks } = this.#parts
    const id = newId()
    const task = tasks.start({
      userId: caller.userId,
      chatId: taskPlaceOf(channel.id),
      messageId: id,
    })
    try {
      const now = clock.now()
      const message = {
        id,
        channel_id: channel.id,
        user_id: caller.userId,
        model_id: model.id,
        model_name: model.name,
        done: 0,
        parent_id: question.parent_id ?? question.id,
        content: '',
        created_at: now,
        updated_at: now,
      }
      await publish(this.#parts, channel, message, { actor: caller, words: null })
      await this.#write(caller, channel, { task, question, model, id })
    } catch (error) {
      log.warn({ error, channel_id: channel.id }, 'the answer of a model could not be written')
      await this.#untilStored(task, () =>
        this.#parts.messages.update(id, { done: 1, error: NOT_STORED }),
      )
    } finally {
      task.finish()
    }
  }

  /** Reads the chunks of an answer and periodically shows and saves the text so far. */
  async #write(
    caller: Caller,
    channel: ChannelRow,
    {
      task,
      question,
      model,
      id,
    }: { task: Task; question: MessageRow; model: { id: string; name: string }; id: string },
  ): Promise<void> {
    let error: string | null = null
    const growing = new GrowingText((text) => this.#showMore(caller, channel, task, text))
    try {
      const asked = await this.#toQuestion(caller, channel, {
        question,
        model,
        signal: task.signal,
      })
      for await (const piece of this.#parts.completions.streamText(asked)) {
        growing.add(piece)
        if (growing.length > LONGEST_ANSWER)
          throw tooLarge('The answer is longer than a message may be.')
        // Some providers end the stream late after an abort.
        if (task.signal.aborted) break
      }
    } catch (thrown) {
      error = this.#explain(thrown, task)
    }
    if (task.signal.aborted && task.signal.reason === 'shutdown') error = CUT_OFF
    const content = await growing.end()
    await this.#untilStored(task, () =>
      this.#show(caller, channel, id, { content, done: 1, error }),
    )
  }

  /**
   * Stores the end of an answer. While that fails it is tried again, because the answer would
   * otherwise be shown as being written until the gateway is restarted. Never rejects.
   */
  async #untilStored({ signal }: Task, store: () => Promise<unknown>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await store()
        return
      } catch (error) {
        const isStopping = signal.aborted && signal.reason === 'shutdown'
        if (tries === 1)
          this.#parts.log.warn(
            { error },
            'the end of an answer could not be stored; it will be retried',
          )
        if (isStopping || tries === MOST_TRIES) return
        await sleep(STORE_PAUSE_MILLISECONDS, undefined, { ref: false })
      }
    }
  }

  /**
   * Shows more of an answer; cancels it when no user may see it any more or it cannot be stored.
   */
  async #showMore(caller: Caller, channel: ChannelRow, task: Task, content: string): Promise<void> {
    try {
      if (await this.#show(caller, channel, task.messageId!, { content })) return
    } catch (error) {
      this.#parts.log.warn(
        { error, channel_id: channel.id },
        'the next part of an answer could not be sent',
      )
    }
    this.#parts.tasks.stop(task.id, 'deleted')
  }

  #explain(thrown: unknown, { signal }: Task): string | null {
    if (signal.aborted) return null
    const { message, status } = toServiceError(thrown)
    if (status === 500) this.#parts.log.error({ error: thrown }, 'the answer of a model failed')
    return message
  }

  /**
   * Resolves with false if no user may see it any more: the message was deleted, or the author of
   * the question is no longer in the channel.
   */
  async #show(
    caller: Caller,
    channel: ChannelRow,
    id: string,
    { content, ...end }: { content: string; done?: 1; error?: string | null },
  ): Promise<boolean> {
    const { audience, clock, messages, rights, users, writer } = this.#parts
    const words = end.done ? await findWords(content) : null
    const place = await this.#parts.store.get(channel.id)
    const user = await users.get(caller.userId)
    const standing =
      place && user && (await rights.standing({ userId: user.id, role: user.role }, place))
    // If the author loses the permission to write, the answer ends and its text so far is final.
    const isOver =
      !standing?.mayWrite || !(await rights.isPermitted({ userId: user!.id, role: user!.role }))
    const changes = { content, updated_at: clock.now(), ...end, ...(isOver && { done: 1 }) }
    if (!(await messages.update(id, changes, { words })) || !place) return false
    const row = await messages.get(channel.id, id)
    if (!row) return false
    const event: ChannelEvent = { type: 'message:update', data: await writer.whole(row, null) }
    await audience.tell(place, event, {
      actor: { id: caller.userId, name: caller.name },
      messageId: id,
    })
    return !isOver
  }

  async #toQuestion(
    caller: Caller,
    channel: ChannelRow,
    {
      question,
      model,
      signal,
    }: { question: MessageRow; model: { id: string; name: string }; signal: AbortSignal },
  ): Promise<ModelQuestion> {
    const rows = await this.#shownBefore(channel.id, question)
    let room = MOST_LETTERS
    const messages: ModelQuestion['messages'][number][] = []
    const files = new Set<string>()
    const attached = await this.#parts.messages.filesOf([question, ...rows].map(({ seq }) => seq))
    for (const row of [question, ...rows]) {
      const isOwn = row.model_id === model.id
      const text = isOwn ? row.content : `${await this.#nameOf(row)}: ${toPlain(row.content)}`
      if ((room -= text.length) < 0 && messages.length > 0) break
      if (text !== '') messages.unshift({ role: isOwn ? 'assistant' : 'user', content: text })
      for (const { file_id } of attached.get(row.seq) ?? []) files.add(file_id)
    }
    return {
      caller,
      model: model.id,
      messages: [{ role: 'system', content: this.#introduce(channel, model.name) }, ...messages],
      files: [...files],
      signal,
    }
  }

  /**
   * Returns the thread of a question, or the preceding messages of the channel, newest first,
   * without unfinished answers.
   */
  async #shownBefore(
    channelId: string,
    { parent_id, created_at }: MessageRow,
  ): Promise<MessageRow[]> {
    const { messages } = this.#parts
    const slice = { limit: MOST_SHOWN, before: created_at }
    if (parent_id === null)
      return (await messages.list(channelId, { ...slice, limit: MOST_SHOWN / 2 })).filter(
        ({ done }) => done === 1,
      )
    const rows = (await messages.thread(parent_id, slice)).filter(({ done }) => done === 1)
    const parent = await messages.get(channelId, parent_id)
    return parent ? [...rows, parent] : rows
  }

  async #nameOf(row: MessageRow): Promise<string> {
    return row.model_name ?? (await this.#parts.writer.author(row))?.name ?? 'Somebody'
  }

  #introduce({ name, type }: ChannelRow, model: string): string {
    const place = type === 'dm' ? 'a direct conversation' : `the channel "${name}"`
    return (
      `You are ${model}, taking part in ${place} with several people. Each message begins with the name of who wrote it. ` +
      'Answer the last one, which mentions you, without a name in front.'
    )
  }
}
