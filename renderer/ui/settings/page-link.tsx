import { useTranslation } from 'react-i18next'
import { handleLink } from '../../lib/handle-link.ts'
import { type SettingsPage, toPath, workspacePath } from '../../lib/router.ts'

function TextLink({ href, text }: { href: string; text: string }) {
  return (
    <a href={href} onClick={handleLink} className="font-medium whitespace-nowrap text-accent">
      {text}
    </a>
  )
}

/** A link to a settings page, labelled with its name. */
export function PageLink({ page }: { page: SettingsPage }) {
  const { t } = useTranslation()
  return <TextLink href={toPath({ name: 'settings', page })} text={t(`settings.pages.${page}`)} />
}

/** A link to the models, each of which says who may use it, labelled with its place. */
export function ModelsLink() {
  const { t } = useTranslation()
  return <TextLink href={workspacePath('models')} text={t('settings.modelsPlace')} />
}
