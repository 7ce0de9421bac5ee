import type { ChannelMessage, ListedMessage } from '#contract/channel-messages.ts'
import { translate } from '../../lib/i18n.ts'

/** How a message of this window fares until the gateway has it. */
export interface Sending {
  readonly tempId: string
  readonly state: 'sending' | 'failed'
  /** Why it could not be sent. */
  readonly problem: string | null
}

/** A message as lists and threads show it. */
export type ShownMessage = Omit<ListedMessage, 'data'> & { readonly sending?: Sending | undefined }

export function toShown(message: ListedMessage | ChannelMessage): ShownMessage {
  const { data: _data, ...shown } = message
  return shown
}

/** Whether a model writes it: whoever asked stands as its author. */
export const isAnswer = ({ meta }: Pick<ShownMessage, 'meta'>): boolean =>
  meta?.model_id !== undefined

/** Whether a model still writes it. */
export const isGrowing = (message: Pick<ShownMessage, 'meta'>): boolean =>
  isAnswer(message) && message.meta?.done === false

/** Who wrote it, as one text that is equal for the same author. */
export function authorKey({
  meta,
  user,
  user_id: userId,
}: Pick<ShownMessage, 'meta' | 'user' | 'user_id'>): string {
  if (meta?.model_id !== undefined) return `model:${meta.model_id}`
  return user?.role === 'webhook' ? `webhook:${user.id}:${user.name}` : `user:${user?.id ?? userId}`
}

/** The name of who wrote it. */
export function authorName({ meta, user }: Pick<ShownMessage, 'meta' | 'user'>): string {
  if (meta?.model_id !== undefined) return meta.model_name || meta.model_id
  if (user?.is_deleted) return translate('channels.message.deletedWebhook')
  if (user?.role === 'webhook') return user.name || translate('channels.message.webhook')
  return user?.name ?? translate('channels.message.deletedAccount')
}

/** Whether it was written by the person with this id, themselves. */
export const isWrittenBy = (message: ShownMessage, meId: string): boolean =>
  authorKey(message) === `user:${meId}`

/** Nanoseconds as the platform's milliseconds. */
export const toTime = (nanoseconds: number): number => nanoseconds / 1_000_000
