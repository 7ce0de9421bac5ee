import '../../../lib/strings/admin.ts'
import { useTranslation } from 'react-i18next'
import type { LdapServer } from '#contract/ldap.ts'
import { call, endpoints } from '../../../api/client.ts'
import { useLoaded } from '../../../api/use-loaded.ts'
import { PageSection } from '../../../ui/layout/page-section.tsx'
import { Switch } from '../../../ui/controls/switch.tsx'
import { toastError } from '../../../ui/floating/toast.tsx'
import { LoadState } from '../load-state.tsx'
import { DirectoryForm } from './directory-form.tsx'
import { ProvisioningSection } from './provisioning-section.tsx'

interface Loaded {
  readonly enabled: boolean
  readonly server: LdapServer
}

async function load(): Promise<Loaded> {
  const [{ ENABLE_LDAP: enabled }, server] = await Promise.all([
    call(endpoints.ldap.enabled, {}),
    call(endpoints.ldap.server, {}),
  ])
  return { enabled, server }
}

/** Sign-in with an organisation's directory, and its connection settings. */
export function DirectoryPage({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation()
  const { value: loaded, problem, put, reload } = useLoaded(load, [])
  if (!loaded)
    return (
      <LoadState
        status={problem ? 'failed' : 'loading'}
        problem={problem}
        title={t('admin.directory.loadFailed')}
        onRetry={reload}
      />
    )
  const enable = (wanted: boolean): void => {
    put({ ...loaded, enabled: wanted })
    call(endpoints.ldap.updateEnabled, { body: { enable_ldap: wanted } }).then(
      onChanged,
      (thrown: unknown) => {
        put({ ...loaded, enabled: !wanted })
        toastError(thrown)
      },
    )
  }
  return (
    <>
      <PageSection text={t('admin.directory.text')}>
        <div className="mb-8 rounded-large border border-line bg-raised px-4 py-3.5">
          <Switch
            label={t('admin.directory.enable')}
            hint={t('admin.directory.enableHint')}
            checked={loaded.enabled}
            onChange={enable}
          />
        </div>
        <DirectoryForm start={loaded.server} onSaved={onChanged} />
      </PageSection>
      <ProvisioningSection />
    </>
  )
}
