import { Suspense } from 'react'
import { useStore } from 'zustand'
import { DOCTOR_STEPS } from '#contract/doctor.ts'
import type { SnapshotKind } from '#contract/time-machine.ts'
import { call, endpoints } from '../../api/client.ts'
import { AccountPage } from '../../features/auth/account-page.tsx'
import { isAdmin, loadSession, refreshConfig } from '../../features/auth/session-store.ts'
import { ConnectionsPage } from '../../features/connections/connections-page.tsx'
import { DoctorPage } from '../../features/connections/doctor/doctor-page.tsx'
import {
  createConnectionsStore,
  findLocalRuntimes,
} from '../../features/connections/connections-store.ts'
import { InstalledPrograms } from '../../features/programs/installed-programs.tsx'
import { createProgramsStore } from '../../features/programs/programs-store.ts'
import { createMemoriesStore } from '../../features/memories/memories-store.ts'
import { MemoriesPage } from '../../features/memories/memories-page.tsx'
import { loadFolders } from '../../features/folders/folders-store.ts'
import { loadChats } from '../../features/chats/load-chats.ts'
import { loadModels } from '../../features/models/models-store.ts'
import { AboutPage } from '../../features/settings/about-page.tsx'
import { ApiKeysPage } from '../../features/settings/api-keys-page.tsx'
import { AppearanceForm } from '../../features/settings/appearance-form.tsx'
import { changePreferences } from '../../features/settings/preferences-store.ts'
import { SettingsLayout } from '../../features/settings/settings-layout.tsx'
import { WebhookSection } from '../../features/webhooks/webhook-section.tsx'
import { lastChatPath, useRoute, type SettingsPage } from '../../lib/router.ts'
import { toastError } from '../../ui/floating/toast.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { DataSection } from '../person/data-section.tsx'
import { mayUseMemories, offersPage } from '../person/permissions.ts'
import { chatsStore, foldersStore, modelsStore, preferencesStore, sessionStore } from '../stores.ts'
import { lazyPart } from '../../lib/lazy-part.ts'

const AdminPage = lazyPart(() => import('./admin-page.tsx'), 'AdminPage')

const DesktopPage = lazyPart(() => import('../../features/desktop/desktop-page.tsx'), 'DesktopPage')
const GatewayPage = lazyPart(
  () => import('../../features/settings/gateway-page.tsx'),
  'GatewayPage',
)

const VoicePage = lazyPart(() => import('../person/voice-page.tsx'), 'VoicePage')

const TimeMachinePage = lazyPart(
  () => import('../../features/time-machine/time-machine-page.tsx'),
  'TimeMachinePage',
)

const connectionsStore = createConnectionsStore()
const programsStore = createProgramsStore()
const memoriesStore = createMemoriesStore()

function Memories() {
  const offered = useStore(sessionStore, mayUseMemories)
  const used = useStore(preferencesStore, (state) => state.usesMemories)
  const handleUse = (usesMemories: boolean): void =>
    changePreferences(preferencesStore, { usesMemories }, toastError)
  return <MemoriesPage store={memoriesStore} offered={offered} used={used} onUse={handleUse} />
}

const handleConnections = (): void => void loadModels(modelsStore, { refresh: true })

function Connections() {
  const route = useRoute()
  const { about = null } = route.name === 'settings' ? route : {}
  return <ConnectionsPage store={connectionsStore} about={about} onChanged={handleConnections} />
}

function Doctor() {
  const route = useRoute()
  const { about = null, step = null } = route.name === 'settings' ? route : {}
  const asked = DOCTOR_STEPS.find((known) => known === step) ?? null
  return (
    <DoctorPage store={connectionsStore} about={about} step={asked} onChanged={handleConnections} />
  )
}

function handleProgram(): void {
  void loadModels(modelsStore, { refresh: true }).then(() => connectionsStore.load())
  void findLocalRuntimes(connectionsStore)
}

async function switchKeysOn(): Promise<void> {
  try {
    await call(endpoints.auths.updateAdminConfig, { body: { ENABLE_API_KEYS: true } })
    await loadSession(sessionStore)
  } catch (thrown) {
    toastError(thrown)
  }
}

function Page({ page, admin }: { page: SettingsPage; admin: boolean }) {
  const config = useStore(sessionStore, (state) => state.config)
  if (page === 'voice') {
    return (
      <Suspense fallback={<PageWait />}>
        <VoicePage />
      </Suspense>
    )
  }
  if (page === 'appearance') return <AppearanceForm store={preferencesStore} />
  if (page === 'connections') {
    return (
      <>
        <Connections />
        {admin && <InstalledPrograms store={programsStore} onChanged={handleProgram} />}
      </>
    )
  }
  if (page === 'doctor') return <Doctor />
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
  if (page === 'time-machine') {
    return (
      <Suspense fallback={<PageWait />}>
        <TimeMachinePage isAdministrator={admin} onBroughtBack={handleBroughtBack} />
      </Suspense>
    )
  }
  if (page === 'gateway') {
    return (
      <Suspense fallback={<PageWait />}>
        <GatewayPage onChanged={() => void refreshConfig(sessionStore)} />
      </Suspense>
    )
  }
  if (page === 'desktop') {
    return (
      <Suspense fallback={<PageWait />}>
        <DesktopPage />
      </Suspense>
    )
  }
  if (page === 'about') return <AboutPage config={config} />
  if (page === 'account') {
    return (
      <>
        <AccountPage store={sessionStore} />
        {config?.features.enable_user_webhooks === true && <WebhookSection which="own" />}
      </>
    )
  }
  return (
    <Suspense fallback={<PageWait />}>
      <AdminPage page={page} />
    </Suspense>
  )
}

function handleBroughtBack(kind: SnapshotKind): void {
  if (kind === 'chat' || kind === 'folder') void loadChats(chatsStore)
  if (kind === 'folder') void loadFolders(foldersStore)
}

/** The settings screen with the page given by the URL. */
export function SettingsScreen({ page }: { page: SettingsPage }) {
  const admin = useStore(sessionStore, isAdmin)
  const offered = offersPage(useStore(sessionStore))
  const shown = offered(page) ? page : offered('account') ? 'account' : 'appearance'
  return (
    <SettingsLayout page={shown} offered={offered} backTo={lastChatPath()}>
      <Page page={shown} admin={admin} />
    </SettingsLayout>
  )
}
