import { lazy, Suspense } from 'react'
import { useStore } from 'zustand'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { AccountPage } from '../../features/auth/account-page.tsx'
import { isAdmin, loadSession, refreshConfig } from '../../features/auth/session-store.ts'
import { ConnectionsPage } from '../../features/connections/connections-page.tsx'
import { createConnectionsStore } from '../../features/connections/connections-store.ts'
import { createMemoriesStore } from '../../features/memories/memories-store.ts'
import { MemoriesPage } from '../../features/memories/memories-page.tsx'
import { loadModels } from '../../features/models/models-store.ts'
import { AboutPage } from '../../features/settings/about-page.tsx'
import { ApiKeysPage } from '../../features/settings/api-keys-page.tsx'
import { AppearanceForm } from '../../features/settings/appearance-form.tsx'
import { GatewayPage } from '../../features/settings/gateway-page.tsx'
import { changePreferences } from '../../features/settings/preferences-store.ts'
import { SettingsLayout } from '../../features/settings/settings-layout.tsx'
import { isForAdmins, lastChatPath, type SettingsPage } from '../../lib/router.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.tsx'
import { DataSection } from '../data-section.tsx'
import { mayUseMemories } from '../permissions.ts'
import { modelsStore, preferencesStore, sessionStore } from '../stores.ts'

const AdminPage = lazy(async () => ({ default: (await import('./admin-page.tsx')).AdminPage }))

const connectionsStore = createConnectionsStore()
const memoriesStore = createMemoriesStore()

function Memories() {
  const offered = useStore(sessionStore, mayUseMemories)
  const used = useStore(preferencesStore, (state) => state.usesMemories)
  const handleUse = (usesMemories: boolean): void =>
    changePreferences(preferencesStore, { usesMemories }, (thrown) => toast({ tone: 'danger', text: toSentence(thrown) }))
  return <MemoriesPage store={memoriesStore} offered={offered} used={used} onUse={handleUse} />
}

async function switchKeysOn(): Promise<void> {
  try {
    await call(endpoints.auths.updateAdminConfig, { body: { ENABLE_API_KEYS: true } })
    await loadSession(sessionStore)
  } catch (thrown) {
    toast({ tone: 'danger', text: toSentence(thrown) })
  }
}

function Page({ page, admin }: { page: SettingsPage; admin: boolean }) {
  const config = useStore(sessionStore, (state) => state.config)
  if (page === 'appearance') return <AppearanceForm store={preferencesStore} />
  if (page === 'connections') {
    return <ConnectionsPage store={connectionsStore} onChanged={() => void loadModels(modelsStore, { refresh: true })} />
  }
  if (page === 'keys') {
    return (
      <ApiKeysPage
        allowed={config?.features.enable_api_keys !== false}
        hasLimits={config?.features.enable_api_key_limits === true}
        admin={admin}
        onSwitchOn={() => void switchKeysOn()}
      />
    )
  }
  if (page === 'memories') return <Memories />
  if (page === 'data') return <DataSection />
  if (page === 'gateway') return <GatewayPage onChanged={() => void refreshConfig(sessionStore)} />
  if (page === 'about') return <AboutPage config={config} />
  if (page === 'account') return <AccountPage store={sessionStore} />
  return (
    <Suspense fallback={<Spinner className="mx-auto my-8 block" />}>
      <AdminPage page={page} />
    </Suspense>
  )
}

/** The settings place with the page that the address names. */
export function SettingsScreen({ page }: { page: SettingsPage }) {
  const admin = useStore(sessionStore, isAdmin)
  const shown = admin || !isForAdmins(page) ? page : 'account'
  return (
    <SettingsLayout page={shown} admin={admin} backTo={lastChatPath()}>
      <Page page={shown} admin={admin} />
    </SettingsLayout>
  )
}
