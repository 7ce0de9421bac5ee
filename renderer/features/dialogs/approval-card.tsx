import { ShieldQuestion } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { Button } from '../../ui/controls/button.tsx'
import { announce } from '../../ui/layout/live-region.tsx'
import type { Dialogs, Question } from './dialogs-store.ts'
import { asText } from '../../lib/as-text.ts'

function readableArguments(value: unknown): string {
  try {
    return JSON.stringify(
      typeof value === 'string' ? (JSON.parse(value) as unknown) : (value ?? {}),
      null,
      2,
    )
  } catch {
    return String(value)
  }
}

function Card({ question, dialogs }: { question: Question; dialogs: Dialogs }) {
  const { t } = useTranslation()
  const card = useRef<HTMLElement>(null)
  const { callId, data } = question
  const name = asText(data.name)
  useEffect(() => {
    card.current?.focus()
    announce(t('dialogs.approval.title', { name }))
  }, [name, t])
  const answer = (decision: 'allow' | 'deny', scope: 'once' | 'chat' | 'always'): void =>
    dialogs.answer(callId, { decision, scope })
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-label={t('dialogs.approval.title', { name })}
      className="mb-2 animate-rise rounded-large border border-line bg-raised p-4 text-ui shadow-low outline-none focus-visible:border-accent"
    >
      <h2 className="flex items-start gap-2.5 font-semibold">
        <ShieldQuestion className="mt-0.5 size-4.5 shrink-0 text-accent" />
        <span className="min-w-0 wrap-anywhere">{t('dialogs.approval.title', { name })}</span>
      </h2>
      {asText(data.description) && (
        <p className="mt-1 ms-7 line-clamp-3 text-small text-muted">{asText(data.description)}</p>
      )}
      <pre
        dir="ltr"
        className="mt-2.5 max-h-40 overflow-auto rounded-medium bg-sunken px-3 py-2 font-mono text-code whitespace-pre-wrap wrap-anywhere"
      >
        {readableArguments(data.arguments)}
      </pre>
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        <Button onClick={() => answer('deny', 'once')}>{t('dialogs.approval.deny')}</Button>
        <Button onClick={() => answer('allow', 'always')}>{t('dialogs.approval.always')}</Button>
        <Button onClick={() => answer('allow', 'chat')}>{t('dialogs.approval.chat')}</Button>
        <Button tone="primary" onClick={() => answer('allow', 'once')}>
          {t('dialogs.approval.once')}
        </Button>
      </div>
    </section>
  )
}

/** The first pending tool approval of a chat, above the message box. */
export function ApprovalCard({ dialogs, chatId }: { dialogs: Dialogs; chatId: string | null }) {
  const question = useStore(dialogs.store, ({ questions }) =>
    questions.find((each) => each.kind === 'approval' && each.chatId === chatId),
  )
  return question ? <Card key={question.callId} question={question} dialogs={dialogs} /> : null
}

interface WaitingApprovalsProps {
  readonly dialogs: Dialogs
  /** Id of the chat on screen, which shows its own. */
  readonly currentId: string | null
  readonly titleOf: (chatId: string) => string
  readonly onShow: (chatId: string) => void
}

/** Notice about a tool awaiting approval in a chat that is not on screen. */
export function WaitingApprovals({ dialogs, currentId, titleOf, onShow }: WaitingApprovalsProps) {
  const { t } = useTranslation()
  const elsewhere = useStore(dialogs.store, ({ questions }) =>
    questions.find((each) => each.kind === 'approval' && each.chatId !== currentId),
  )
  if (!elsewhere) return null
  return (
    <output className="flex items-center gap-3 border-b border-line bg-accent-soft px-4 py-2 text-ui">
      <ShieldQuestion className="size-4 shrink-0 text-accent" />
      <span className="min-w-0 flex-1 truncate">
        {t('dialogs.approval.elsewhere', {
          title: titleOf(elsewhere.chatId) || t('chats.untitled'),
        })}
      </span>
      <Button onClick={() => onShow(elsewhere.chatId)}>{t('dialogs.approval.show')}</Button>
    </output>
  )
}
