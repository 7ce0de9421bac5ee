import { MessageSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Picture } from '#contract/images.ts'
import { formatMoment } from '../../lib/format-time.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { chatPath } from '../../lib/router.ts'
import { useChatOf } from './known-pictures.ts'
import { CopyButton } from '../controls/copy-button.tsx'

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-6 min-w-0 items-center gap-1.5">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="flex min-w-0 items-center gap-0.5 wrap-anywhere">{children}</dd>
    </div>
  )
}

interface PictureFactsProps {
  readonly picture: Picture
  /** Id of the chat on screen, which needs no link. */
  readonly shownChatId: string | null
  /** Called before the link navigates away. */
  readonly onLeave: () => void
}

/** Parameters a picture was generated from. */
export function PictureFacts({ picture, shownChatId, onLeave }: PictureFactsProps) {
  const { t } = useTranslation()
  const { prompt, model, width, height, seed, steps, kind, created_at: createdAt } = picture
  const chat = useChatOf(picture)
  return (
    <div className="flex flex-col gap-2">
      {prompt !== '' && (
        <div className="flex items-start gap-1">
          <p
            dir="auto"
            className="max-h-24 min-w-0 flex-1 overflow-y-auto text-ui text-pretty whitespace-pre-wrap wrap-anywhere"
          >
            {prompt}
          </p>
          <CopyButton isSmall text={prompt} label={t('pictures.facts.copyPrompt')} />
        </div>
      )}
      <dl className="flex flex-wrap items-center gap-x-5 gap-y-0.5 text-small">
        {kind !== 'generated' && (
          <Fact name={t('pictures.facts.kind')}>{t(`pictures.facts.${kind}`)}</Fact>
        )}
        {model !== '' && (
          <Fact name={t('pictures.facts.model')}>
            <bdi>{model}</bdi>
          </Fact>
        )}
        {width > 0 && (
          <Fact name={t('pictures.facts.size')}>
            {t('pictures.facts.pixels', { width, height })}
          </Fact>
        )}
        {seed !== null && (
          <Fact name={t('pictures.facts.seed')}>
            <span className="tabular-nums">{seed}</span>
            <CopyButton isSmall text={String(seed)} label={t('pictures.facts.copySeed')} />
          </Fact>
        )}
        {steps !== null && <Fact name={t('pictures.facts.steps')}>{steps}</Fact>}
        <Fact name={t('pictures.facts.date')}>{formatMoment(createdAt)}</Fact>
        {chat && chat.chatId !== shownChatId && (
          <a
            href={chatPath(chat.chatId, chat.messageId)}
            onClick={(event) => {
              onLeave()
              handleLink(event)
            }}
            className="inline-flex items-center gap-1.5 font-medium text-accent pointer-coarse:min-h-11"
          >
            <MessageSquare className="size-3.5" />
            {t('pictures.viewer.openChat')}
          </a>
        )}
      </dl>
    </div>
  )
}
