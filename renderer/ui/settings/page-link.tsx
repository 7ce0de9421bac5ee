import { useTranslation } from 'react-i18next'
import { handleLink } from '../../lib/handle-link.ts'
import { type SettingsPage, toPath } from '../../lib/router.ts'

/** A link to a settings page, labelled with its name. */
export function PageLink({ page }: { page: SettingsPage }) {
  const { t } = useTranslation()
  return (
    <a
      href={toPath({ name: 'settings', page })}
      onClick={handleLink}
      className="font-medium whitespace-nowrap text-accent"
    >
      {t(`settings.pages.${page}`)}
    </a>
  )
}
