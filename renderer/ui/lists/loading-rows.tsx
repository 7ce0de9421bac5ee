import { useTranslation } from 'react-i18next'

const SKELETON = ['w-40', 'w-56', 'w-32'] as const

/** Placeholder for entries being loaded; only visible if loading takes long. */
export function LoadingRows() {
  const { t } = useTranslation()
  return (
    <div className="animate-late rounded-large border border-line">
      <p className="sr-only">{t('common.loading')}</p>
      {SKELETON.map((width) => (
        <div
          key={width}
          aria-hidden="true"
          className="flex items-center gap-3 px-4 py-3 not-first:border-t"
        >
          <span className="size-9 rounded-medium bg-hover" />
          <span className="flex flex-col gap-1.5">
            <span className={`h-3.5 rounded-small bg-hover ${width}`} />
            <span className="h-3 w-24 rounded-small bg-hover" />
          </span>
        </div>
      ))}
    </div>
  )
}
