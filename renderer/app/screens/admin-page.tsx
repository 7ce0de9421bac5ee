import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { RequestRecord } from '#contract/requests.ts'
import { AnalyticsPage } from '../../features/analytics/analytics-page.tsx'
import { createAnalyticsStore } from '../../features/analytics/analytics-store.ts'
import { AnnouncementsPage } from '../../features/admin/announcements-page.tsx'
import { ApiPage } from '../../features/admin/api-page/api-page.tsx'
import { DirectoryPage } from '../../features/admin/directory-page/directory-page.tsx'
import { GroupsPage } from '../../features/admin/groups-page.tsx'
import { createGroupsStore } from '../../features/admin/groups-store.ts'
import { PermissionsPage } from '../../features/admin/permissions-page.tsx'
import { RequestsPage } from '../../features/admin/requests-page.tsx'
import { createRequestsStore } from '../../features/admin/requests-store.ts'
import { SingleSignOnPage } from '../../features/admin/single-sign-on-page/single-sign-on-page.tsx'
import { UsersPage } from '../../features/admin/users-page.tsx'
import { createUsersStore } from '../../features/admin/users-store.ts'
import { refreshConfig } from '../../features/auth/session-store.ts'
import { loadBanners } from '../../features/banners/banners-store.ts'
import { loadPrices, pricesStore } from '../../features/chat/prices-store.ts'
import { CodeSettingsPage } from '../../features/code-settings/code-settings-page.tsx'
import { createCodeSettingsStore } from '../../features/code-settings/code-settings-store.ts'
import { LocalModelsPage } from '../../features/local-models/local-models-page.tsx'
import { followDownloads } from '../../features/local-models/follow-downloads.ts'
import { createLocalModelsStore } from '../../features/local-models/local-models-store.ts'
import { loadModels } from '../../features/models/models-store.ts'
import { OutgoingPage } from '../../features/outgoing/outgoing-page.tsx'
import { createOutgoingStore } from '../../features/outgoing/outgoing-store.ts'
import { PictureSettingsPage } from '../../features/picture-settings/picture-settings-page.tsx'
import { createSettingsStore } from '../../ui/settings/settings-store.ts'
import { EnginesSection } from '../../features/voice-settings/engines-section.tsx'
import { InstalledPrograms } from '../../features/programs/installed-programs.tsx'
import { createProgramsStore } from '../../features/programs/programs-store.ts'
import { DocumentsPage } from '../../features/retrieval-settings/documents-page.tsx'
import { createDocumentsStore } from '../../features/retrieval-settings/documents-store.ts'
import { nameOf } from '../../ui/settings/setting-name.ts'
import { SharingPage } from '../../features/sharing/sharing-page.tsx'
import { createSharingStore } from '../../features/sharing/sharing-store.ts'
import { EventWebhooksPage } from '../../features/webhooks/event-webhooks-page.tsx'
import { WebhookSection } from '../../features/webhooks/webhook-section.tsx'
import type { PrincipalLoaders } from '../../ui/access/principal-search.tsx'
import { costOfCall } from '../chats/cost-of-call.ts'
import { openDocument } from '../chats/open-document.ts'
import { principals } from '../person/principals.ts'
import { bannersStore, modelsStore, sessionStore } from '../stores.ts'

const analyticsStore = createAnalyticsStore()
const usersStore = createUsersStore()
const groupsStore = createGroupsStore()
const codeSettingsStore = createCodeSettingsStore()
const documentsStore = createDocumentsStore()
const pictureSettingsStore = createSettingsStore()
const requestsStore = createRequestsStore()
const sharingStore = createSharingStore()
const outgoingStore = createOutgoingStore()
const voiceSettingsStore = createSettingsStore()
const programsStore = createProgramsStore()
const localModelsStore = followDownloads(createLocalModelsStore())

const people: PrincipalLoaders = {
  ...principals,
  search: async (query, signal) =>
    (await principals.search(query, signal)).filter(({ type }) => type === 'user'),
}

function handleModels(): void {
  void loadModels(modelsStore, { refresh: true })
}

function handleAnnounced(): void {
  void loadBanners(bannersStore)
  void refreshConfig(sessionStore)
}

/** Settings pages that only administrators have. */
export type AdminPageName =
  | 'sharing'
  | 'outgoing'
  | 'local-models'
  | 'speech'
  | 'code'
  | 'documents'
  | 'pictures'
  | 'users'
  | 'groups'
  | 'permissions'
  | 'directory'
  | 'single-sign-on'
  | 'announcements'
  | 'analytics'
  | 'requests'
  | 'webhooks'
  | 'api'

export function AdminPage({ page }: { page: AdminPageName }) {
  const ownId = useStore(sessionStore, (state) => state.user?.id) ?? ''
  const models = useStore(modelsStore, (state) => state.models)
  const isAnalysed = useStore(
    sessionStore,
    (state) => state.config?.features['enable_admin_analytics'] === true,
  )
  const prices = useStore(pricesStore, (state) => state.prices)
  useEffect(() => {
    if (page === 'requests') void loadPrices(pricesStore)
  }, [page])
  const costOf = (record: RequestRecord): string | null => costOfCall(record, prices)
  if (page === 'documents')
    return (
      <DocumentsPage
        store={documentsStore}
        onChanged={() => void refreshConfig(sessionStore)}
        onOpenDocument={openDocument}
      />
    )
  if (page === 'sharing') return <SharingPage store={sharingStore} models={models} />
  if (page === 'outgoing')
    return <OutgoingPage store={outgoingStore} onSealed={() => void refreshConfig(sessionStore)} />
  if (page === 'analytics')
    return (
      <AnalyticsPage
        store={analyticsStore}
        isOn={isAnalysed}
        onChanged={() => void refreshConfig(sessionStore)}
      />
    )
  if (page === 'speech')
    return (
      <EnginesSection
        store={voiceSettingsStore}
        onChanged={() => void refreshConfig(sessionStore)}
      />
    )
  if (page === 'code')
    return (
      <CodeSettingsPage
        store={codeSettingsStore}
        onChanged={() => void refreshConfig(sessionStore)}
      />
    )
  if (page === 'pictures')
    return (
      <PictureSettingsPage
        store={pictureSettingsStore}
        onChanged={() => void refreshConfig(sessionStore)}
      />
    )
  if (page === 'local-models')
    return (
      <>
        <LocalModelsPage store={localModelsStore} onChanged={handleModels} />
        <InstalledPrograms store={programsStore} onChanged={handleModels} />
      </>
    )
  if (page === 'users') return <UsersPage store={usersStore} ownId={ownId} />
  if (page === 'groups') return <GroupsPage store={groupsStore} people={people} />
  if (page === 'directory')
    return <DirectoryPage onChanged={() => void refreshConfig(sessionStore)} />
  if (page === 'single-sign-on')
    return <SingleSignOnPage nameOf={nameOf} onChanged={() => void refreshConfig(sessionStore)} />
  if (page === 'announcements') {
    return (
      <>
        <AnnouncementsPage onChanged={handleAnnounced} />
        <WebhookSection which="gateway" />
      </>
    )
  }
  if (page === 'requests')
    return <RequestsPage store={requestsStore} models={models} costOf={costOf} />
  if (page === 'webhooks') return <EventWebhooksPage />
  if (page === 'api') return <ApiPage model={models[0]?.id ?? ''} />
  return <PermissionsPage store={groupsStore} />
}
