import { formatNames } from '../../lib/format-list.ts'
import type { ChannelPerson, ChannelType } from '#contract/channels.ts'
import { translate } from '../../lib/i18n.ts'

interface Named {
  readonly name: string
  readonly type: ChannelType
  readonly users?: readonly ChannelPerson[] | null
}

/**
 * Returns the members of a conversation except the current user; a conversation with oneself
 * returns that user.
 */
export function othersOf({ users }: Pick<Named, 'users'>, meId: string): readonly ChannelPerson[] {
  const others = (users ?? []).filter(({ id }) => id !== meId)
  return others.length > 0 ? others : (users ?? [])
}

/** Returns the name of a channel: an unnamed conversation is named after its other members. */
export function channelName(channel: Named, meId: string): string {
  if (channel.name.trim() !== '') return channel.name
  const others = othersOf(channel, meId)
  if (others.length === 0) return translate('channels.unnamed')
  if (others.length === 1 && others[0]!.id === meId)
    return translate('channels.ownNotes', { name: others[0]!.name })
  return formatNames(others.map(({ name }) => name))
}
