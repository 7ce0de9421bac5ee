import { Sparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { call, endpoints } from '../../../api/client.ts'
import { useAction } from '../../../api/use-action.ts'
import { socket } from '../../../api/socket.ts'
import { classNames } from '../../../lib/class-names.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { toast } from '../../../ui/floating/toast.tsx'
import { Tooltip } from '../../../ui/floating/tooltip.tsx'
import { useChatView } from '../chat-context.ts'
import { chatDeps } from '../chat-registry.ts'
import {
  type ChatMessage,
  type ChatState,
  isTemporaryId,
  type ModelFeature,
} from '../chat-store.ts'
import { readBranch } from '../load-chat.ts'
import { withBase } from '../../../lib/base-path.ts'

/** Returns the conversation up to an answer in the form plugins read. */
const messagesUpTo = ({ order, messages }: ChatState, id: string) =>
  order.slice(0, order.indexOf(id) + 1).map((each) => {
    const { role, content, timestamp, sources } = messages[each]!
    return { id: each, role, content, timestamp, ...(sources && { sources }) }
  })

interface ActionFaceProps {
  readonly action: ModelFeature
  /** True if every other button of the answer has an icon. */
  readonly isAlone: boolean
  readonly busy: boolean
  readonly onRun: () => void
}

/** Icon of an action; its name if it would stand among other buttons without icons. */
function ActionFace({
  action: { icon, name, description },
  isAlone,
  busy,
  onRun,
}: ActionFaceProps) {
  const { t } = useTranslation()
  const hint = busy ? t('chat.tools.running', { name }) : description || name
  const motion = busy ? 'animate-pulse' : undefined
  if (icon === null && !isAlone) {
    return (
      <Tooltip text={hint}>
        <Button
          tone="quiet"
          busy={busy}
          aria-label={name}
          className="max-w-40 px-2 text-small text-muted"
          onClick={onRun}
        >
          <bdi className="truncate">{name}</bdi>
        </Button>
      </Tooltip>
    )
  }
  // Plugin icons are black on a transparent background; in dark mode they are inverted.
  const picture = icon && (
    <img
      src={withBase(icon)}
      alt=""
      className={classNames('size-4 object-contain opacity-70 dark:invert', motion)}
    />
  )
  return (
    <IconButton
      label={name}
      hint={hint}
      aria-busy={busy}
      disabled={busy}
      icon={picture ?? <Sparkles className={motion} />}
      onClick={onRun}
    />
  )
}

function PluginAction({
  action,
  message,
  isAlone,
}: {
  action: ModelFeature
  message: ChatMessage
  isAlone: boolean
}) {
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
  return <ActionFace action={action} isAlone={isAlone} busy={busy} onRun={() => void run()} />
}

/** Plugin buttons below an answer. */
export function PluginActions({ message }: { message: ChatMessage }) {
  const { model } = useChatView()
  const actions = model?.actions ?? []
  const isAlone = actions.filter(({ icon }) => icon === null).length === 1
  return actions.map((action) => (
    <PluginAction key={action.id} action={action} message={message} isAlone={isAlone} />
  ))
}
