import type { RefObject } from 'react'
import { translate } from '../../../lib/i18n.ts'
import type { Attachments } from '../../../ui/attachments/attachments-store.ts'
import type { OpenChat } from '../chat-registry.ts'
import { chatViewStore } from '../chat-view-store.ts'
import { emptyDraft, joinDrafts, keepDraft, toMessageText, toPastedEntries } from './draft.ts'
import type { QueuedMessage } from './message-queue.ts'
import type { ChatModel } from '../chat-store.ts'
import type { NewMessage } from '../sending/send-message.ts'
import type { DraftControl } from './use-draft.ts'
import { toastError } from '../../../ui/floating/toast.tsx'

interface WrittenMessage extends DraftControl {
  readonly chat: OpenChat
  readonly chatId: string | null
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly attachments: Attachments
}

/** Target of the message. */
interface Way extends Pick<NewMessage, 'others' | 'acknowledged'> {
  readonly model: ChatModel | null
  readonly send: (text: string, files: readonly unknown[]) => void
}

/** Actions of the message box on its message. */
export interface Sending {
  readonly send: () => void
  /** Queues the message until the answer is complete. */
  readonly queue: () => void
  /** Stops the answer and sends the message immediately. */
  readonly steer: () => void
  /** Moves a queued message back into the box, before the current text. */
  readonly takeBack: (waiting: QueuedMessage) => void
  /** Opens the last question for editing. */
  readonly editLast: () => void
}

export function useSending(
  { chat, chatId, box, attachments, draft, change, clear }: WrittenMessage,
  { model, others, acknowledged, send }: Way,
): Sending {
  const pasted = () => toPastedEntries(draft, translate('chat.attachments.pastedName'))
  const wait = (chosen: ChatModel): string => {
    const attached = attachments.take()
    const message = {
      text: toMessageText(draft),
      files: [...attached, ...pasted()],
      model: chosen,
      others,
      acknowledged,
    }
    const id = chat.queue.add({ draft, attached, message })
    clear()
    keepDraft(chatId, emptyDraft)
    return id
  }
  return {
    send() {
      if (!model) return
      keepDraft(chatId, draft)
      clear()
      send(toMessageText(draft), [...attachments.take(), ...pasted()])
      box.current?.focus()
    },
    queue() {
      if (model) wait(model)
    },
    steer() {
      if (model) chat.queue.steer(wait(model)).catch(toastError)
    },
    takeBack({ id, draft: waiting, attached }) {
      chat.queue.remove(id)
      for (const entry of attached) attachments.add(entry)
      change(joinDrafts(waiting, draft))
      box.current?.focus()
    },
    editLast() {
      const { order, messages } = chat.store.getState()
      const editingId = order.findLast((id) => messages[id]?.role === 'user') ?? null
      chatViewStore.setState({ editingId })
    },
  }
}
