import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Banner } from '#contract/configs.ts'
import { classNames } from '../../lib/class-names.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { Markdown } from '../markdown/markdown.tsx'

const LOOKS: Record<Banner['type'], { readonly icon: ReactNode; readonly tone: string }> = {
  info: { icon: <Info />, tone: 'bg-sunken [&>svg]:text-muted' },
  success: { icon: <CircleCheck />, tone: 'bg-accent-soft [&>svg]:text-accent' },
  warning: { icon: <TriangleAlert />, tone: 'bg-warning-soft [&>svg]:text-warning' },
  error: { icon: <CircleAlert />, tone: 'bg-danger-soft [&>svg]:text-danger' },
}

interface BannerLineProps {
  readonly banner: Pick<Banner, 'type' | 'title' | 'content' | 'dismissible'>
  readonly onDismiss?: () => void
}

/** One notice. Its kind is also given as text, as colour alone is not accessible. */
export function BannerLine({
  banner: { type, title, content, dismissible },
  onDismiss,
}: BannerLineProps) {
  const { t } = useTranslation()
  const { icon, tone } = LOOKS[type]
  return (
    <div
      className={classNames(
        'flex items-start gap-2.5 px-4 py-2 text-ink [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0',
        tone,
      )}
    >
      {icon}
      <div className="min-w-0 flex-1 text-ui [--message-line:1.25rem] [--message-size:0.875rem] [--paragraph-gap:0.25rem]">
        <span className="sr-only">{t(`banners.types.${type}`)}</span>
        {title && (
          <strong className="block font-semibold" dir="auto">
            {title}
          </strong>
        )}
        <Markdown text={content} />
      </div>
      {dismissible && (
        <IconButton size="small" label={t('banners.dismiss')} icon={<X />} onClick={onDismiss} />
      )}
    </div>
  )
}
