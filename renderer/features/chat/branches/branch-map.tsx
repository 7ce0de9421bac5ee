import { Bot, User } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../lib/class-names.ts'
import { Spinner } from '../../../ui/marks/spinner.tsx'
import { type BranchRow, toBranchRows } from './branch-tree.ts'
import { useChat, useChatView } from '../chat-context.ts'
import { selectIsAnswering, selectOrder } from '../chat-store.ts'
import { useWholeChat } from '../use-whole-chat.ts'

/** Maximum number of rows rendered; a longer chat shows its newest ones. */
const MOST_ROWS = 1000
const DEEPEST_INDENT = 8

function MapRow({ row, isShown, onGo }: { row: BranchRow; isShown: boolean; onGo: () => void }) {
  const { t } = useTranslation()
  const Icon = row.role === 'user' ? User : Bot
  const who = row.role === 'user' ? t('chat.message.you') : t('chat.message.assistant')
  return (
    <li style={{ paddingInlineStart: `${Math.min(row.depth, DEEPEST_INDENT) * 0.875}rem` }}>
      <button
        type="button"
        aria-current={isShown ? 'true' : undefined}
        className={classNames(
          'flex min-h-8 w-full items-center gap-2 rounded-e-small border-s-2 px-2 py-1 text-start text-small hover:bg-hover pointer-coarse:min-h-11',
          isShown ? 'border-accent text-ink' : 'border-line text-muted',
        )}
        onClick={onGo}
      >
        <Icon aria-hidden="true" className="size-3.5 shrink-0" />
        <span className="sr-only">{who}</span>
        <span dir="auto" className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">
          {row.text || t('chat.map.empty')}
        </span>
        {row.version && (
          <span className="shrink-0 tabular-nums">
            {t('chat.branch.place', { position: row.version.place, total: row.version.total })}
          </span>
        )}
      </button>
    </li>
  )
}

/** Map of all branches of the chat; a click opens the message on its branch. */
export function BranchMap({ onShow }: { onShow: (messageId: string) => void }) {
  const { t } = useTranslation()
  const { chat, goTo } = useChatView()
  const order = useChat(selectOrder)
  const isAnswering = useChat(selectIsAnswering)
  const whole = useWholeChat(chat, `${order.at(-1)} ${isAnswering}`)
  const rows = useMemo(
    () => (whole && 'messages' in whole ? toBranchRows(whole.messages) : []),
    [whole],
  )
  if (whole === null) {
    return (
      <p className="flex justify-center py-6 text-muted">
        <Spinner />
        <span className="sr-only">{t('common.loading')}</span>
      </p>
    )
  }
  if ('problem' in whole) return <p role="alert">{whole.problem}</p>
  if (rows.length === 0) return <p className="text-ui text-muted">{t('chat.map.none')}</p>
  const shown = new Set(order)
  return (
    <>
      <p className="pb-3 text-small text-muted">{t('chat.map.lead')}</p>
      <ol aria-label={t('chat.map.title')} className="flex flex-col">
        {rows.slice(-MOST_ROWS).map((row) => (
          <MapRow
            key={row.id}
            row={row}
            isShown={shown.has(row.id)}
            onGo={() => void goTo(row.id).then(() => onShow(row.id))}
          />
        ))}
      </ol>
    </>
  )
}
