import { Sparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { call, endpoints } from '../../../api/client.ts'
import { useAction } from '../../../api/use-action.ts'
import { socket } from '../../../api/socket.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useChatView } from '../chat-context.ts'
import { chatDeps } from '../chat-registry.ts'
import { type ChatMessage, type ChatState, isTemporaryId, type ModelFeature } from '../chat-store.ts'
import { readBranch } from '../load-chat.ts'

/** The conversation up to an answer, as plugins read it. */
const messagesUpTo = ({ order, messages }: ChatState, id: string) =>
  order.slice(0, order.indexOf(id) + 1).map((each) => {
    const { role, content, timestamp, sources } = messages[each]!
    return { id: each, role, content, timestamp, ...(sources && { sources }) }
  })

function PluginAction({ action, message }: { action: ModelFeature; message: ChatMessage }) {
  const { t } = useTranslation()
  const { chat } = useChatView()
  const { busy, run } = useAction(async () => {
    const { chatId } = chat.store.getState()
    try {
      await call(endpoints.completions.action, {
        params: { action_id: action.id },
        body: {
          model: message.model ?? '',
          messages: messagesUpTo(chat.store.getState(), message.id),
          id: message.id,
          session_id: socket.sessionId(),
          ...(chatId !== null && { chat_id: chatId }),
        },
      })
      if (!isTemporaryId(chatId)) await readBranch(chat.store, chatDeps)
    } catch (thrown) {
      toast({ tone: 'danger', text: thrown instanceof Error ? thrown.message : String(thrown) })
    }
  })
  return (
    <IconButton
      label={action.name}
      hint={busy ? t('chat.tools.running', { name: action.name }) : action.description || action.name}
      aria-busy={busy}
      disabled={busy}
      icon={<Sparkles className={busy ? 'animate-pulse' : undefined} />}
      onClick={() => void run()}
    />
  )
}

/** Buttons of plugins under an answer. */
export function PluginActions({ message }: { message: ChatMessage }) {
  const { model } = useChatView()
  return (model?.actions ?? []).map((action) => <PluginAction key={action.id} action={action} message={message} />)
}
