import { FlaskConical } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { OAuthProviderInfo } from '#contract/oauth.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { formatNames } from '../../../lib/format-list.ts'

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

const STATE_TONES = { ready: 'accent', incomplete: 'warning', unused: 'neutral' } as const

const stateOf = ({ is_configured: isConfigured, missing }: OAuthProviderInfo): ProviderState =>
  isConfigured ? 'ready' : missing.length > 0 ? 'incomplete' : 'unused'

interface ProviderCardProps {
  readonly provider: OAuthProviderInfo
  readonly busy: boolean
  readonly onTry: () => void
}

function ProviderCard({ provider, busy, onTry }: ProviderCardProps) {
  const { t } = useTranslation()
  const state = stateOf(provider)
  return (
    <li className="flex flex-col gap-3 px-4 py-3.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="min-w-0 flex-1 basis-40 font-medium">
          <bdi>{provider.name}</bdi>{' '}
          <code className="text-small font-normal text-muted">{provider.id}</code>
        </h3>
        <Badge tone={STATE_TONES[state]}>{t(`admin.singleSignOn.states.${state}`)}</Badge>
        {state !== 'unused' && (
          <Button
            busy={busy}
            icon={<FlaskConical aria-hidden="true" className="size-4" />}
            aria-label={t('admin.singleSignOn.tryNamed', { name: provider.name })}
            onClick={onTry}
          >
            {t('admin.singleSignOn.try')}
          </Button>
        )}
      </div>
      {state === 'incomplete' && (
        <p className="text-ui text-warning">
          {t('admin.singleSignOn.missing', { names: formatNames(provider.missing) })}
        </p>
      )}
      {/* Whoever registers the gateway needs the address before there is a client id to set. */}
      <dl className="flex flex-col gap-2">
        <Address label={t('admin.singleSignOn.redirectAddress')} value={provider.redirect_uri} />
        {state !== 'unused' && provider.backchannel_logout_uri !== null && (
          <Address
            label={t('admin.singleSignOn.logoutAddress')}
            value={provider.backchannel_logout_uri}
          />
        )}
      </dl>
    </li>
  )
}

interface ProviderListProps {
  readonly providers: readonly OAuthProviderInfo[]
  /** The provider a trial is being begun with. */
  readonly trying: string | null
  readonly onTry: (provider: string) => void
}

/** The providers with what has to be registered there, and a trial of each. */
export function ProviderList({ providers, trying, onTry }: ProviderListProps) {
  return (
    <ul className="divide-y divide-line rounded-large border border-line bg-raised">
      {providers.map((provider) => (
        <ProviderCard
          key={provider.id}
          provider={provider}
          busy={trying === provider.id}
          onTry={() => onTry(provider.id)}
        />
      ))}
    </ul>
  )
}
