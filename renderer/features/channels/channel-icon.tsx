import { Hash, LockKeyhole, MessageCircle, UsersRound } from 'lucide-react'
import type { ChannelType } from '#contract/channels.ts'

/** Icon for the kind of a channel. */
export function ChannelIcon({
  channel,
}: {
  channel: { readonly type: ChannelType; readonly is_private: boolean }
}) {
  if (channel.type === 'dm') return <MessageCircle />
  if (channel.type === 'group') return <UsersRound />
  return channel.is_private ? <LockKeyhole /> : <Hash />
}
