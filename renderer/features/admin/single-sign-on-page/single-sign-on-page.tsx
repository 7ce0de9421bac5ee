import '../../../lib/strings/admin.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OAuthProviderInfo, OAuthTest } from '#contract/oauth.ts'
import type { Setting, SettingValue } from '#contract/settings.ts'
import { call, endpoints } from '../../../api/client.ts'
import { useAction } from '../../../api/use-action.ts'
import { useLoaded } from '../../../api/use-loaded.ts'
import { navigate, toPath } from '../../../lib/router.ts'
import { Badge } from '../../../ui/marks/badge.tsx'
import { FoldOut } from '../../../ui/layout/fold-out.tsx'
import { FormProblem } from '../../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../../ui/layout/page-section.tsx'
import { toast } from '../../../ui/floating/toast.tsx'
import { LoadState } from '../load-state.tsx'
import { ProviderList } from './provider-list.tsx'
import { type NameOf, ProviderSettings, type SaveSetting } from './provider-settings.tsx'
import { isCommon, splitSettings } from './setting-parts.ts'
import { TrialReport } from './trial-report.tsx'

const OWN_PATH = toPath({ name: 'settings', page: 'single-sign-on' })

interface Loaded {
  readonly isEditable: boolean
  readonly providers: readonly OAuthProviderInfo[]
  readonly settings: readonly Setting[]
}

async function load(): Promise<Loaded> {
  const [{ is_editable: isEditable, providers }, settings] = await Promise.all([
    call(endpoints.oauth.providers, {}),
    call(endpoints.settings.list, {}),
  ])
  return { isEditable, providers, settings }
}

/** Returns the id of the trial in the URL, e.g. after returning from the provider. */
const trialInAddress = (): string | null => new URLSearchParams(location.search).get('oauth_test')

/** Returns the last trial, and the function that starts another one. */
function useTrial() {
  const [trial, setTrial] = useState<OAuthTest | null>(null)
  const reading = useAction(async (id: string) =>
    setTrial(await call(endpoints.oauth.test, { params: { test_id: id } })),
  )
  const [trying, setTrying] = useState<string | null>(null)
  const beginning = useAction(async (provider: string) => {
    setTrying(provider)
    try {
      const { url, ...begun } = await call(endpoints.oauth.beginTest, {
        params: { provider },
        body: { return_to: OWN_PATH },
      })
      setTrial(begun)
      // If the provider shows an error page, the user navigates back: the URL then has to identify
      // this trial, not an older one.
      navigate(`${OWN_PATH}?oauth_test=${begun.id}`, { replace: true })
      if (url !== null) location.assign(url)
    } finally {
      setTrying(null)
    }
  })
  const { run } = reading
  useEffect(() => {
    const id = trialInAddress()
    if (id !== null) void run(id)
    // oxlint-disable-next-line react/exhaustive-deps -- the URL names a trial only when the page opens
  }, [])
  return {
    trial,
    trying,
    problem: reading.problem ?? beginning.problem,
    begin: (provider: string) => void beginning.run(provider),
    reload: () => void (trial && run(trial.id)),
    close: () => {
      setTrial(null)
      navigate(OWN_PATH, { replace: true })
    },
  }
}

interface SettingsPartsProps {
  readonly settings: readonly Setting[]
  readonly nameOf: NameOf
  readonly onSave: SaveSetting
}

/** Settings of all providers, each section behind a line that states the number of changed ones. */
function SettingsParts({ settings, nameOf, onSave }: SettingsPartsProps) {
  const { t } = useTranslation()
  return splitSettings(settings).map(([part, rows]) => {
    if (!isCommon(part)) return null
    const changed = rows.filter(({ origin }) => origin !== 'default').length
    return (
      <FoldOut
        key={part}
        title={
          <>
            <span>{t(`admin.singleSignOn.parts.${part}`)}</span>
            {changed > 0 && <Badge>{t('admin.singleSignOn.changed', { count: changed })}</Badge>}
          </>
        }
      >
        <ProviderSettings rows={rows} nameOf={nameOf} onSave={onSave} />
      </FoldOut>
    )
  })
}

interface SingleSignOnPageProps {
  readonly nameOf: NameOf
  readonly onChanged: () => void
}

/** Sign-in with accounts of other providers: the list, a trial of each, and their settings. */
export function SingleSignOnPage({ nameOf, onChanged }: SingleSignOnPageProps) {
  const { t } = useTranslation()
  const { value: loaded, problem, put, reload } = useLoaded(load, [])
  const { trial, trying, ...trials } = useTrial()
  if (!loaded)
    return (
      <LoadState
        status={problem ? 'failed' : 'loading'}
        problem={problem}
        title={t('admin.singleSignOn.loadFailed')}
        onRetry={reload}
      />
    )
  const save = async (key: string, value: SettingValue): Promise<void> => {
    await call(endpoints.settings.update, { body: { values: { [key]: value } } })
    put(await load())
    toast({ text: t('common.saved') })
    onChanged()
  }
  return (
    <>
      <PageSection text={t('admin.singleSignOn.text')}>
        <FormProblem text={trials.problem} />
        {trial && <TrialReport trial={trial} onReload={trials.reload} onClose={trials.close} />}
        <ProviderList
          providers={loaded.providers}
          settings={loaded.settings}
          nameOf={nameOf}
          trying={trying}
          onTry={trials.begin}
          onSave={save}
        />
      </PageSection>
      <PageSection
        title={t('admin.singleSignOn.settings')}
        text={
          loaded.isEditable ? t('admin.singleSignOn.editable') : t('admin.singleSignOn.readOnly')
        }
      >
        {!loaded.isEditable && (
          <FoldOut title={t('common.details')}>
            <p className="text-small wrap-anywhere text-muted">
              {t('admin.singleSignOn.readOnlyHow')}{' '}
              <code translate="no">ENABLE_OAUTH_PERSISTENT_CONFIG=true</code>
            </p>
          </FoldOut>
        )}
        <SettingsParts settings={loaded.settings} nameOf={nameOf} onSave={save} />
      </PageSection>
    </>
  )
}
