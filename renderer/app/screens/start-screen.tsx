import { useTranslation } from 'react-i18next'
import { Logo } from '../../ui/marks/logo.tsx'

/**
 * Shown until the session state is known. Appears with a delay, so that a fast start shows nothing.
 * During the first start the frame of index.html takes the place of the logo.
 */
export function StartScreen() {
  const { t } = useTranslation()
  return (
    <output
      data-starting=""
      className="grid h-full animate-[appear_200ms_400ms_both] place-items-center"
    >
      <Logo className="size-11 animate-pulse" />
      <span className="sr-only">{t('common.loading')}</span>
    </output>
  )
}
