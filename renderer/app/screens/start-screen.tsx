import { useTranslation } from 'react-i18next'
import { Logo } from '../../ui/marks/logo.tsx'

/**
 * Shown until the session state is known. Appears with a delay, so that a fast start shows nothing.
 */
export function StartScreen() {
  const { t } = useTranslation()
  return (
    <output className="grid h-full animate-[appear_200ms_400ms_both] place-items-center">
      <Logo className="size-11 animate-pulse" />
      <span className="sr-only">{t('common.loading')}</span>
    </output>
  )
}
