import '../../lib/strings/setting-pages.ts'
import { useTranslation } from 'react-i18next'
import type { CodeState } from '#contract/code.ts'
import type { Setting } from '#contract/settings.ts'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { type Allowed, AllowedPeople } from '../../ui/settings/allowed-people.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { toastError } from '../../ui/floating/toast.tsx'
import type { SaveSettings } from '../../ui/settings/settings-store.ts'
import { storedText } from '../../ui/settings/settings-draft.ts'
import { type Purpose, PURPOSES } from './code-settings-store.ts'
import { formatNames } from '../../lib/format-list.ts'

function Who() {
  const { t } = useTranslation()
  const describe = ({ everybody, groups }: Allowed): string => {
    if (everybody) return t('code.settings.who.everybody')
    if (groups.length === 0) return t('code.settings.who.admins')
    return t('code.settings.who.groups', { names: formatNames(groups) })
  }
  return <AllowedPeople feature="code_interpreter" describe={describe} />
}

function Reach({
  purpose,
  settings,
  state,
}: {
  purpose: Purpose
  settings: ReadonlyMap<string, Setting>
  state: CodeState
}) {
  const { t } = useTranslation()
  if (settings.get(purpose.isOn)?.value !== true) return t('code.settings.reach.off')
  if (storedText(settings, purpose.engine) === 'jupyter') {
    const host = URL.parse(storedText(settings, purpose.url))?.host ?? '–'
    return <bdi>{t('code.settings.reach.server', { host })}</bdi>
  }
  if (purpose.name === 'execution') return t('code.settings.reach.window')
  if (!state.gateway.available) {
    return (
      <>
        {t('code.settings.reach.windowOnly')}
        {state.gateway.sentence && (
          <span className="block text-muted">{state.gateway.sentence}</span>
        )}
      </>
    )
  }
  return t(state.gateway.fenced ? 'code.settings.reach.fenced' : 'code.settings.reach.unfenced')
}

interface StateSectionProps {
  readonly settings: ReadonlyMap<string, Setting>
  readonly state: CodeState
  readonly onSave: SaveSettings
}

/** State of code execution: enabled features, users, and network access. */
export function StateSection({ settings, state, onSave }: StateSectionProps) {
  const { t } = useTranslation()
  const change = (key: string, isOn: boolean): void => {
    onSave({ [key]: isOn }).catch(toastError)
  }
  return (
    <PageSection>
      <div className="flex flex-col gap-4 rounded-large border border-line bg-raised px-4 py-3.5">
        {PURPOSES.map(({ name, isOn }) => (
          <Switch
            key={name}
            label={t(`code.settings.on.${name}`)}
            hint={
              settings.get(isOn)?.locked
                ? t('settingPages.gateway.locked')
                : t(`code.settings.onHint.${name}`)
            }
            checked={settings.get(isOn)?.value === true}
            disabled={settings.get(isOn)?.locked === true}
            onChange={(value) => change(isOn, value)}
          />
        ))}
      </div>
      <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-2 text-ui max-sm:grid-cols-1 max-sm:gap-y-0.5">
        <dt className="text-muted">{t('code.settings.who.title')}</dt>
        <dd className="max-sm:mb-2">
          <Who />
        </dd>
        {PURPOSES.map((purpose) => (
          <div key={purpose.name} className="contents">
            <dt className="text-muted">{t(`code.settings.reach.${purpose.name}`)}</dt>
            <dd className="max-sm:mb-2">
              <Reach purpose={purpose} settings={settings} state={state} />
            </dd>
          </div>
        ))}
      </dl>
    </PageSection>
  )
}
