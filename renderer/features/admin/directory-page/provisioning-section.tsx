import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting, SettingValue } from '#contract/settings.ts'
import { toSentence } from '../../../api/api-error.ts'
import { call, endpoints, toUrl } from '../../../api/client.ts'
import { useAction } from '../../../api/use-action.ts'
import { makePassword } from '../../../lib/make-password.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { FormProblem } from '../../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../../ui/layout/page-section.tsx'
import { Switch } from '../../../ui/controls/switch.tsx'
import { SecretField } from '../../../ui/fields/text-field.tsx'
import { toast, toastError } from '../../../ui/floating/toast.tsx'

const ENABLE = 'ENABLE_SCIM'
const TOKEN = 'SCIM_TOKEN'
const HEADER = 'WEBUI_AUTH_TRUSTED_EMAIL_HEADER'

/** Longer than a password, as it is never typed. */
const TOKEN_GROUPS = 12

type Rows = ReadonlyMap<string, Setting>

const toRows = (settings: readonly Setting[]): Rows =>
  new Map(settings.map((setting) => [setting.key, setting]))

/** Returns the SCIM URL of the gateway as seen from this page. */
const scimAddress = (): string =>
  location.origin + toUrl(endpoints.scim.serviceProviderConfig, {}).replace(/\/\w+$/, '')

function TokenForm({
  isSet,
  isLocked,
  onSave,
}: {
  isSet: boolean
  isLocked: boolean
  onSave: (token: string) => Promise<void>
}) {
  const { t } = useTranslation()
  const [token, setToken] = useState('')
  const { busy, problem, handleSubmit } = useAction(async () => {
    await onSave(token.trim())
    setToken('')
    toast({ text: t('common.saved') })
  })
  if (isLocked) return null
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-3">
      <FormProblem text={problem} />
      <SecretField
        label={t('admin.provisioning.token')}
        hint={isSet ? t('admin.provisioning.tokenSet') : t('admin.provisioning.tokenHint')}
        autoComplete="off"
        maxLength={8192}
        value={token}
        onChange={setToken}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" tone="primary" busy={busy} disabled={token.trim() === ''}>
          {t('common.save')}
        </Button>
        <Button onClick={() => setToken(makePassword(TOKEN_GROUPS))}>
          {t('admin.provisioning.make')}
        </Button>
        {token !== '' && <CopyButton text={token} label={t('admin.provisioning.copyToken')} />}
      </div>
    </form>
  )
}

/** Automatic provisioning of accounts and groups by a directory, and sign-in through a proxy. */
export function ProvisioningSection() {
  const { t } = useTranslation()
  const [rows, setRows] = useState<Rows>(new Map())
  const [problem, setProblem] = useState<string | null>(null)
  const reload = useCallback(() => {
    call(endpoints.settings.list, {}).then(
      (settings) => setRows(toRows(settings)),
      (thrown: unknown) => setProblem(toSentence(thrown)),
    )
  }, [])
  useEffect(reload, [reload])
  const save = async (key: string, value: SettingValue): Promise<void> => {
    setRows(toRows(await call(endpoints.settings.update, { body: { values: { [key]: value } } })))
  }
  const isOn = rows.get(ENABLE)?.value === true
  const isSet = rows.get(TOKEN)?.is_set === true
  const header = rows.get(HEADER)?.value
  const state = !isOn ? 'off' : isSet ? 'on' : 'noToken'
  return (
    <>
      <PageSection title={t('admin.provisioning.title')} text={t('admin.provisioning.text')}>
        <FormProblem text={problem} />
        <div className="mb-4 flex flex-col gap-3 rounded-large border border-line bg-raised px-4 py-3.5">
          <Switch
            label={t('admin.provisioning.enable')}
            hint={t(`admin.provisioning.state.${state}`)}
            checked={isOn}
            disabled={rows.get(ENABLE)?.locked !== false}
            onChange={(wanted) => {
              save(ENABLE, wanted).catch(toastError)
            }}
          />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <div className="min-w-0">
              <p className="text-small text-muted">{t('admin.provisioning.address')}</p>
              <code className="text-small wrap-anywhere">{scimAddress()}</code>
            </div>
            <CopyButton text={scimAddress()} label={t('settings.about.copyAddress')} />
          </div>
        </div>
        <TokenForm
          isSet={isSet}
          isLocked={rows.get(TOKEN)?.locked !== false}
          onSave={(token) => save(TOKEN, token)}
        />
      </PageSection>
      {typeof header === 'string' && header !== '' && (
        <PageSection
          title={t('admin.proxySignIn.title')}
          text={t('admin.proxySignIn.text', { header })}
        >
          <p className="text-small text-muted">{t('admin.proxySignIn.where')}</p>
        </PageSection>
      )}
    </>
  )
}
