import type { ChannelMessage } from '#contract/channel-messages.ts'
import type { ListedChannel } from '#contract/channels.ts'
import { type ShownMessage, toShown } from '../features/channels/shown-message.ts'

const MINUTE = 60_000_000_000

/** Returns a message for tests; `minute` determines its order. */
export const sampleMessage = (
  id: string,
  changes: Partial<ChannelMessage> & { minute?: number } = {},
): ChannelMessage => {
  const { minute = 0, ...fields } = changes
  const at = Date.UTC(2026, 0, 5, 12) * 1_000_000 + minute * MINUTE
  return {
    id,
    user_id: 'u1',
    channel_id: 'c1',
    reply_to_id: null,
    reply_to_message: null,
    parent_id: null,
    is_pinned: false,
    pinned_by: null,
    pinned_at: null,
    content: id,
    data: null,
    meta: null,
    created_at: at,
    updated_at: at,
    edited_at: null,
    user: { id: 'u1', name: '1', profile_image_url: '' },
    files: [],
    latest_reply_at: null,
    reply_count: 0,
    reactions: [],
    ...fields,
  }
}

export const sampleShown = (
  id: string,
  changes: Partial<ChannelMessage> & { minute?: number } = {},
): ShownMessage => toShown(sampleMessage(id, changes))

export const sampleListed = (changes: Partial<ListedChannel> = {}): ListedChannel => ({
  id: 'c1',
  user_id: 'u1',
  type: 'group',
  name: '1',
  description: null,
  is_private: false,
  data: null,
  meta: null,
  access_grants: [],
  access_control: {},
  created_at: 1,
  updated_at: 1,
  updated_by: null,
  archived_at: null,
  archived_by: null,
  deleted_at: null,
  deleted_by: null,
  user_ids: null,
  users: null,
  last_message_at: null,
  last_read_at: null,
  unread_count: 0,
  mention_count: 0,
  is_manager: true,
  write_access: true,
  ...changes,
})
