import { useTranslation } from 'react-i18next'

const FIELDS = ['w-28', 'w-44', 'w-36'] as const

/**
 * Placeholder of a page that is being loaded. Nothing of it is visible at first, so that a page that
 * arrives at once does not flicker.
 */
export function PageWait() {
  const { t } = useTranslation()
  return (
    <div className="animate-late">
      <p className="sr-only">{t('common.loading')}</p>
      <div aria-hidden="true" className="flex flex-col gap-6">
        {FIELDS.map((width) => (
          <div key={width} className="flex flex-col gap-2.5">
            <span className={`h-3.5 rounded-small bg-hover ${width}`} />
            <span className="h-primary rounded-medium bg-hover" />
          </div>
        ))}
      </div>
    </div>
  )
}
