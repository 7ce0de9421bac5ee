import '../../lib/strings/setting-pages.ts'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { isAtGateway } from '../../lib/is-at-gateway.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { type Allowed, AllowedPeople } from '../../ui/settings/allowed-people.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { toastError } from '../../ui/floating/toast.tsx'
import { EDITING, MAKING, type Purpose } from './engine-keys.ts'
import { storedText } from '../../ui/settings/settings-draft.ts'
import { engineOf, toReached } from './picture-draft.ts'
import type { SaveSettings } from '../../ui/settings/settings-store.ts'
import { formatNames } from '../../lib/format-list.ts'

function Who() {
  const { t } = useTranslation()
  const describe = ({ everybody, groups }: Allowed): string => {
    if (everybody) return t('pictures.settings.who.everybody')
    if (groups.length === 0) return t('pictures.settings.who.admins')
    return t('pictures.settings.who.groups', { count: groups.length, names: formatNames(groups) })
  }
  return <AllowedPeople feature="image_generation" describe={describe} />
}

function Reach({
  purpose,
  settings,
}: {
  purpose: Purpose
  settings: ReadonlyMap<string, Setting>
}) {
  const { t } = useTranslation()
  const kind = engineOf(settings, {}, purpose)
  const reached = kind === null ? null : toReached(storedText(settings, purpose.engines[kind]!.url))
  if (!reached) return t('pictures.settings.reach.nowhere')
  const [here, elsewhere] = isAtGateway()
    ? (['here', 'elsewhere'] as const)
    : (['atGateway', 'elsewhereFromGateway'] as const)
  return (
    <>
      <bdi className="me-2 font-mono text-code wrap-anywhere">{reached.host}</bdi>
      <Badge tone={reached.isHere ? 'neutral' : 'warning'}>
        {t(`pictures.settings.reach.${reached.isHere ? here : elsewhere}`)}
      </Badge>
    </>
  )
}

interface StateSectionProps {
  readonly settings: ReadonlyMap<string, Setting>
  readonly onSave: SaveSettings
}

/** State of the picture features: enabled ones, users, and destinations. */
export function StateSection({ settings, onSave }: StateSectionProps) {
  const { t } = useTranslation()
  const change = (key: string, isOn: boolean): void => {
    onSave({ [key]: isOn }).catch(toastError)
  }
  const shown = [MAKING, EDITING].filter(({ isOn }) => settings.get(isOn)?.value === true)
  return (
    <PageSection text={t('pictures.settings.text')}>
      <div className="flex flex-col gap-4 rounded-large border border-line bg-raised px-4 py-3.5">
        {[MAKING, EDITING].map(({ name, isOn }) => (
          <Switch
            key={name}
            label={t(`pictures.settings.on.${name}`)}
            hint={
              settings.get(isOn)?.locked
                ? t('settingPages.gateway.locked')
                : t(`pictures.settings.onHint.${name}`)
            }
            checked={settings.get(isOn)?.value === true}
            disabled={settings.get(isOn)?.locked === true}
            onChange={(value) => change(isOn, value)}
          />
        ))}
      </div>
      <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-2 text-ui max-sm:grid-cols-1 max-sm:gap-y-0.5">
        <dt className="text-muted">{t('pictures.settings.who.title')}</dt>
        <dd className="max-sm:mb-2">
          <Who />
        </dd>
        {shown.length === 0 && (
          <>
            <dt className="text-muted">{t('pictures.settings.reach.making')}</dt>
            <dd>{t('pictures.settings.reach.off')}</dd>
          </>
        )}
        {shown.map((purpose) => (
          <div key={purpose.name} className="contents">
            <dt className="text-muted">{t(`pictures.settings.reach.${purpose.name}`)}</dt>
            <dd className="max-sm:mb-2">
              <Reach purpose={purpose} settings={settings} />
            </dd>
          </div>
        ))}
      </dl>
    </PageSection>
  )
}
