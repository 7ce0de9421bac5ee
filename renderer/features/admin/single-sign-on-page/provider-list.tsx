import { FlaskConical } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { OAuthProviderInfo } from '#contract/oauth.ts'
import type { Setting } from '#contract/settings.ts'
import { Badge } from '../../../ui/marks/badge.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { FoldOut } from '../../../ui/layout/fold-out.tsx'
import { formatNames } from '../../../lib/format-list.ts'
import { type NameOf, ProviderSettings, type SaveSetting } from './provider-settings.tsx'
import { labelKeyOf, splitSettings } from './setting-parts.ts'

function Address({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-small text-muted">{label}</dt>
      <dd className="flex items-center gap-1">
        <code dir="ltr" className="min-w-0 text-small wrap-anywhere">
          {value}
        </code>
        <CopyButton isSmall text={value} />
      </dd>
    </div>
  )
}

type ProviderState = 'ready' | 'incomplete' | 'unused'

const STATE_TONES = { ready: 'accent', incomplete: 'warning' } as const

const stateOf = ({ is_configured: isConfigured, missing }: OAuthProviderInfo): ProviderState =>
  isConfigured ? 'ready' : missing.length > 0 ? 'incomplete' : 'unused'

interface SharedProps {
  readonly nameOf: NameOf
  readonly onSave: SaveSetting
}

interface ProviderCardProps extends SharedProps {
  readonly provider: OAuthProviderInfo
  readonly settings: readonly Setting[]
  readonly busy: boolean
  readonly onTry: () => void
}

/** Steps at the provider, followed by the values to enter here. */
function Steps({ provider, settings, nameOf, onSave }: Omit<ProviderCardProps, 'busy' | 'onTry'>) {
  const { t } = useTranslation()
  const { name, redirect_uri: redirect, backchannel_logout_uri: logout } = provider
  const heading = 'mb-1 text-ui font-medium'
  return (
    <div className="mt-1 flex flex-col gap-4">
      <section>
        <h3 className={heading}>{t('admin.singleSignOn.atProvider', { name })}</h3>
        <p className="mb-2 text-small text-pretty text-muted">
          {t('admin.singleSignOn.atProviderText')}
        </p>
        <dl className="flex flex-col gap-2 rounded-medium bg-sunken px-3 py-2.5">
          <Address label={t('admin.singleSignOn.redirectAddress')} value={redirect} />
          {logout !== null && (
            <Address label={t('admin.singleSignOn.logoutAddress')} value={logout} />
          )}
        </dl>
      </section>
      <section>
        <h3 className={heading}>{t('admin.singleSignOn.here')}</h3>
        <p className="mb-2 text-small text-pretty text-muted">
          {t('admin.singleSignOn.hereText', { name })}
        </p>
        <ProviderSettings rows={settings} nameOf={nameOf} onSave={onSave} />
      </section>
    </div>
  )
}

const ProviderName = ({ provider }: Pick<ProviderCardProps, 'provider'>) => (
  <h2 className="min-w-0 flex-1 basis-40 truncate font-medium text-ink">
    <bdi>{provider.name}</bdi>{' '}
    <code className="text-small font-normal text-muted">{provider.id}</code>
  </h2>
)

/** An unconfigured provider: one line that expands the setup steps. */
function UnusedProvider(props: ProviderCardProps) {
  const { t } = useTranslation()
  return (
    <li className="px-4 py-2">
      <FoldOut
        isRow
        title={
          <>
            <ProviderName provider={props.provider} />
            <span className="shrink-0 text-ui text-accent">{t('admin.singleSignOn.setUp')}</span>
          </>
        }
      >
        <Steps {...props} />
      </FoldOut>
    </li>
  )
}

function ProviderCard(props: ProviderCardProps) {
  const { provider, nameOf, busy, onTry } = props
  const { t } = useTranslation()
  const state = stateOf(provider)
  if (state === 'unused') return <UnusedProvider {...props} />
  return (
    <li className="flex flex-col gap-1 px-4 py-3.5">
      <div className="flex min-h-control flex-wrap items-center gap-x-3 gap-y-2">
        <ProviderName provider={provider} />
        <Badge tone={STATE_TONES[state]}>{t(`admin.singleSignOn.states.${state}`)}</Badge>
        <Button
          busy={busy}
          icon={<FlaskConical className="size-4" />}
          aria-label={t('admin.singleSignOn.tryNamed', { name: provider.name })}
          onClick={onTry}
        >
          {t('admin.singleSignOn.try')}
        </Button>
      </div>
      {state === 'incomplete' && (
        <p className="text-ui text-warning">
          {t('admin.singleSignOn.missing', {
            names: formatNames(provider.missing.map((key) => nameOf({ key: labelKeyOf(key) }))),
          })}
        </p>
      )}
      <FoldOut title={t('admin.singleSignOn.showSetUp')} isOpen={state === 'incomplete'}>
        <Steps {...props} />
      </FoldOut>
    </li>
  )
}

interface ProviderListProps extends SharedProps {
  readonly providers: readonly OAuthProviderInfo[]
  readonly settings: readonly Setting[]
  /** Provider for which a trial is being started. */
  readonly trying: string | null
  readonly onTry: (provider: string) => void
}

/** The providers with their setup state, remaining steps, and a trial. */
export function ProviderList({ providers, settings, trying, onTry, ...shared }: ProviderListProps) {
  const parts = new Map<string, readonly Setting[]>(splitSettings(settings))
  return (
    <ul className="divide-y divide-line rounded-large border border-line bg-raised">
      {providers.map((provider) => (
        <ProviderCard
          key={provider.id}
          {...shared}
          provider={provider}
          settings={parts.get(provider.id) ?? []}
          busy={trying === provider.id}
          onTry={() => onTry(provider.id)}
        />
      ))}
    </ul>
  )
}
