import type { ChannelMessage, ListedMessage } from '#contract/channel-messages.ts'
import { translate } from '../../lib/i18n.ts'

/** Send state of a message of this window, until the gateway has received it. */
export interface Sending {
  readonly tempId: string
  readonly state: 'sending' | 'failed'
  /** Reason it could not be sent. */
  readonly problem: string | null
}

/** A message in the form that lists and threads display. */
export type ShownMessage = Omit<ListedMessage, 'data'> & { readonly sending?: Sending }

export function toShown(message: ListedMessage | ChannelMessage): ShownMessage {
  const { data: _data, ...shown } = message
  return shown
}

/** True if a model writes it; its stored author is the user who asked. */
export const isAnswer = ({ meta }: Pick<ShownMessage, 'meta'>): boolean =>
  meta?.model_id !== undefined

/** True while a model is still writing it. */
export const isGrowing = (message: Pick<ShownMessage, 'meta'>): boolean =>
  isAnswer(message) && message.meta?.done === false

/** Returns a string that is equal for messages of the same author. */
export function authorKey({
  meta,
  user,
  user_id: userId,
}: Pick<ShownMessage, 'meta' | 'user' | 'user_id'>): string {
  if (meta?.model_id !== undefined) return `model:${meta.model_id}`
  return user?.role === 'webhook' ? `webhook:${user.id}:${user.name}` : `user:${user?.id ?? userId}`
}

/** Returns the author's name. */
export function authorName({ meta, user }: Pick<ShownMessage, 'meta' | 'user'>): string {
  if (meta?.model_id !== undefined) return meta.model_name || meta.model_id
  if (user?.is_deleted) return translate('channels.message.deletedWebhook')
  if (user?.role === 'webhook') return user.name || translate('channels.message.webhook')
  return user?.name ?? translate('channels.message.deletedAccount')
}

/** True if the user with this id wrote it themselves. */
export const isWrittenBy = (message: ShownMessage, meId: string): boolean =>
  authorKey(message) === `user:${meId}`

/** Converts nanoseconds to milliseconds. */
export const toTime = (nanoseconds: number): number => nanoseconds / 1_000_000
