import type { FoundMessage, MessageSearchQuery } from '#contract/channel-messages.ts'
import { notFound } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import { toOwnerWord, wordsOf } from '../../lib/text/words.ts'
import { writeSnippet, type Phrase } from '../../lib/text/write-snippet.ts'
import type { ChannelRow } from '../channel-store.ts'
import type { MessageRow } from './message-store.ts'
import type { ChannelParts } from '../parts.ts'

const PAGE = 30
const MOST_WORDS = 32
/** Shorter prefixes would match a large part of all terms. */
const SHORTEST_PREFIX = 2
/** Maximum number of channels searched at once; the most recently created ones are searched. */
const MOST_CHANNELS = 2000

/** Every term must occur in the text; the last one may be a prefix. */
function toPhrases(text: string): Phrase[] {
  const words = [...wordsOf(text)].slice(0, MOST_WORDS)
  return words.map((word, place) => ({
    words: [word.text],
    isPrefix:
      place === words.length - 1 && word.end === text.length && word.text.length >= SHORTEST_PREFIX,
  }))
}

/** The query contains only letters and digits, so that no input can act as an operator. */
function toMatch(phrases: readonly Phrase[], channels: readonly ChannelRow[]): string {
  const places = channels.map(({ id }) => `"${toOwnerWord(id)}"`).join(' OR ')
  const terms = phrases.map(({ words, isPrefix }) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`)
  return `place : (${places}) AND content : (${terms.join(' AND ')})`
}

/** Finds messages in the channels a user may read. */
export class Search {
  readonly #parts: ChannelParts

  constructor(parts: ChannelParts) {
    this.#parts = parts
  }

  async find(
    caller: Caller,
    { text, channel_id, before, limit = PAGE }: MessageSearchQuery,
  ): Promise<{ items: FoundMessage[] }> {
    const { messages, writer } = this.#parts
    const channels = new Map(
      (await this.#channels(caller, channel_id)).map((channel) => [channel.id, channel]),
    )
    const phrases = toPhrases(text)
    if (phrases.length === 0 || channels.size === 0) return { items: [] }
    const last = before === undefined ? null : await messages.find(before)
    if (before !== undefined && !(last && channels.has(last.channel_id)))
      throw notFound('There is no such message to continue from.')
    const seqs = await this.#findSeqs(phrases, [...channels.values()], {
      below: last?.seq ?? Number.MAX_SAFE_INTEGER,
      limit,
    })
    const rows = (await Promise.all(seqs.map((seq) => messages.atSeq(seq)))).filter(
      (row): row is MessageRow => row !== null,
    )
    const listed = await writer.list(rows, caller.userId)
    return {
      items: listed.map((message) => {
        const { id, name, type } = channels.get(message.channel_id)!
        return {
          ...message,
          channel: { id, name, type },
          snippet: writeSnippet(message.content, phrases),
        }
      }),
    }
  }

  /**
   * Tries whole terms first: for a prefix the index collects all messages with any matching term,
   * however few results are wanted.
   */
  async #findSeqs(
    phrases: readonly Phrase[],
    channels: readonly ChannelRow[],
    { below, limit }: { below: number; limit: number },
  ): Promise<number[]> {
    const { messages } = this.#parts
    const whole = phrases.map((phrase) => ({ ...phrase, isPrefix: false }))
    const found = await messages.findSeqs(toMatch(whole, channels), below, limit)
    if (found.length === limit || !phrases.at(-1)?.isPrefix) return found
    return messages.findSeqs(toMatch(phrases, channels), below, limit)
  }

  async #channels(caller: Caller, only: string | undefined): Promise<ChannelRow[]> {
    const { access, rights, store } = this.#parts
    if (only !== undefined) return [(await rights.require(caller, only, 'read')).channel]
    const grantedIds = await access.grantedIds(caller, 'channel', 'read')
    const seen = await store.list({
      userId: caller.userId,
      seesAll: caller.role === 'admin',
      grantedIds,
    })
    return seen.toSorted((one, other) => other.created_at - one.created_at).slice(0, MOST_CHANNELS)
  }
}
