import '../../lib/strings/admin.ts'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { ModelsLink } from '../../ui/settings/page-link.tsx'
import { toastError } from '../../ui/floating/toast.tsx'
import { changeDefaultPermission, type GroupsStore } from './groups-store.ts'
import { LoadState } from './load-state.tsx'
import { PermissionSwitches } from './permission-switches.tsx'

/** Default permissions, before any group adds to them. */
export function PermissionsPage({ store }: { store: GroupsStore }) {
  const { t } = useTranslation()
  const { defaults, status, problem } = useStore(store)
  useEffect(() => void store.load(), [store])
  return (
    <PageSection
      text={
        <>
          {t('admin.permissions.text')} {t('admin.modelsSetAt')} <ModelsLink />
        </>
      }
    >
      <LoadState
        status={status}
        problem={problem}
        title={t('admin.permissions.loadFailed')}
        onRetry={() => void store.load()}
      />
      {defaults && (
        <PermissionSwitches
          defaults={defaults}
          onChange={(permission, isOn) => {
            changeDefaultPermission(store, permission, isOn).catch(toastError)
          }}
        />
      )}
    </PageSection>
  )
}
