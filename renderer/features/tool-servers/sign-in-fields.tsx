import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { SecretField, TextField } from '../../ui/fields/text-field.tsx'
import { fieldsOf } from '../../ui/fields/fields-of.ts'
import { idOf, type ServerDraft, type SignInDraft } from './server-draft.ts'
import { gatewayAddress } from '../../lib/base-path.ts'

interface SignInFieldsProps {
  readonly draft: ServerDraft
  readonly change: (values: Partial<ServerDraft>) => void
}

/**
 * Redirect URL after a server's sign-in, which is needed to register the gateway there manually.
 */
function ReturnAddress({ id }: { id: string }) {
  const { t } = useTranslation()
  const address = `${gatewayAddress()}/oauth/clients/mcp:${id}/callback`
  return (
    <div>
      <p className="mb-1.5 font-medium">{t('toolServers.signIn.returnAddress')}</p>
      <p className="flex items-center gap-2 rounded-medium bg-sunken py-1 ps-3 pe-1">
        <code dir="ltr" className="min-w-0 flex-1 font-mono text-code wrap-anywhere">
          {address}
        </code>
        <CopyButton text={address} isSmall />
      </p>
      <p className="mt-1 text-small text-muted">{t('toolServers.signIn.returnHint')}</p>
    </div>
  )
}

/**
 * OAuth 2.1 settings of an MCP server: a manually registered client, and an administrator's
 * parameters.
 */
export function SignInFields({ draft, change }: SignInFieldsProps) {
  const { t } = useTranslation()
  const { signIn } = draft
  const isStored = draft.rest?.info.oauth_client_info != null
  const set = (values: Partial<SignInDraft>): void => change({ signIn: { ...signIn, ...values } })
  const field = fieldsOf(signIn, set)
  return (
    <>
      {draft.authType === 'oauth_2.1_static' && (
        <>
          <ReturnAddress id={idOf(draft)} />
          <TextField
            label={t('toolServers.signIn.clientId')}
            hint={isStored ? t('toolServers.signIn.keep') : undefined}
            required={!isStored}
            {...field('clientId')}
            dir="ltr"
            spellCheck={false}
            autoComplete="off"
          />
          <SecretField
            label={t('toolServers.signIn.clientSecret')}
            {...field('clientSecret')}
            autoComplete="off"
          />
        </>
      )}
      <FoldOut title={t('toolServers.signIn.terms')}>
        <div className="mt-2 flex flex-col gap-4">
          {isStored && <p className="text-small text-muted">{t('toolServers.signIn.keepTerms')}</p>}
          <TextField
            label={t('toolServers.signIn.scope')}
            hint={t('toolServers.signIn.scopeHint')}
            {...field('scope')}
            dir="ltr"
            spellCheck={false}
          />
          <TextField
            label={t('toolServers.signIn.serverUrl')}
            hint={t('toolServers.signIn.serverUrlHint')}
            {...field('serverUrl')}
            inputMode="url"
            dir="ltr"
          />
          <TextField
            label={t('toolServers.signIn.resource')}
            hint={t('toolServers.signIn.resourceHint')}
            {...field('resource')}
            dir="ltr"
            spellCheck={false}
          />
        </div>
      </FoldOut>
    </>
  )
}
