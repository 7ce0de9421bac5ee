import type { ChannelAuthor, ChannelFile } from '#contract/channel-messages.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { type ShownMessage, toShown } from './shown-message.ts'
import {
  dropMessage,
  openTimeline,
  patchMessage,
  settleMessage,
  type Timeline,
} from './timeline.ts'
import { newId } from '../../lib/new-id.ts'

/** Message to send. */
export interface Outgoing {
  readonly content: string
  readonly files: readonly ChannelFile[]
  /** Quoted message. */
  readonly quoted: ShownMessage | null
}

const QUOTE_LENGTH = 200

/** Returns the message as shown until the gateway has received it. */
function toPending(
  { content, files, quoted }: Outgoing,
  timeline: Timeline,
  author: NonNullable<ChannelAuthor>,
): ShownMessage {
  const tempId = newId()
  const last = timeline.store.getState().messages.at(-1)?.created_at ?? 0
  // The clocks of window and gateway may differ; the message written last must be sorted last.
  const now = Math.max(Date.now() * 1_000_000, last + 1_000_000)
  return {
    id: tempId,
    user_id: author.id,
    channel_id: timeline.channelId,
    reply_to_id: quoted?.id ?? null,
    reply_to_message: quoted && { ...quoted, content: quoted.content.slice(0, QUOTE_LENGTH) },
    parent_id: timeline.parentId,
    is_pinned: false,
    pinned_by: null,
    pinned_at: null,
    content,
    meta: null,
    created_at: now,
    updated_at: now,
    edited_at: null,
    user: author,
    files: [...files],
    latest_reply_at: null,
    reply_count: 0,
    reactions: [],
    sending: { tempId, state: 'sending', problem: null },
  }
}

/** Sends a message that is in the list, also again; on failure it stays there with the reason. */
export async function sendPending(timeline: Timeline, pending: ShownMessage): Promise<void> {
  const tempId = pending.sending!.tempId
  patchMessage(timeline, pending.id, (message) => ({
    ...message,
    sending: { tempId, state: 'sending', problem: null },
  }))
  try {
    const stored = await call(endpoints.channels.post, {
      params: { channel_id: timeline.channelId },
      body: {
        content: pending.content,
        temp_id: tempId,
        reply_to_id: pending.reply_to_id,
        parent_id: timeline.parentId,
        ...(pending.files.length > 0 && { data: { files: pending.files } }),
      },
    })
    settleMessage(timeline, toShown(stored), tempId)
  } catch (thrown) {
    const problem = toSentence(thrown)
    patchMessage(timeline, pending.id, (message) => ({
      ...message,
      sending: { tempId, state: 'failed', problem },
    }))
  }
}

/** Shows a message immediately and sends it. */
export async function postMessage(
  timeline: Timeline,
  outgoing: Outgoing,
  author: NonNullable<ChannelAuthor>,
): Promise<void> {
  // The user's own message belongs at the end, which may have to be loaded first.
  if (timeline.store.getState().hasNewer) await openTimeline(timeline)
  const pending = toPending(outgoing, timeline, author)
  timeline.store.setState(({ messages }) => ({ messages: [...messages, pending] }))
  await sendPending(timeline, pending)
}

/** Discards a message that could not be sent. */
export const discard = (timeline: Timeline, message: ShownMessage): void =>
  dropMessage(timeline, message.id)
