import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { BranchMap } from './branches/branch-map.tsx'
import { ChatControls } from './chat-controls.tsx'
import type { ChatRights } from './chat-rights.ts'
import { chatViewStore } from './chat-view-store.ts'
import { SidePanel } from '../../ui/dialogs/side-panel.tsx'
import { SourceViewer } from './sources/source-viewer.tsx'
import { TraceList } from './traces/trace-list.tsx'
import { UsageDialog } from './messages/usage-dialog.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'

const ChatArtifacts = lazyPart(() => import('./artifacts/chat-artifacts.tsx'), 'ChatArtifacts')

const closePanel = (): void => chatViewStore.setState({ panel: null })

/** Panels that can be opened beside the conversation; loaded on first use. */
export function ChatExtras({
  rights,
  onShow,
}: {
  rights: ChatRights
  onShow: (messageId: string) => void
}) {
  const { t } = useTranslation()
  const { panel, source, artifact, tracedId, isUsageOpen } = useStore(chatViewStore)
  return (
    <>
      {panel === 'artifact' && artifact && (
        <Suspense>
          <ChatArtifacts
            key={`${artifact.messageId}:${artifact.block}`}
            place={artifact}
            onClose={closePanel}
          />
        </Suspense>
      )}
      {panel !== null && panel !== 'artifact' && (
        <SidePanel
          key={panel}
          title={t(`chat.${panel}.title`)}
          isWide={panel === 'sources' || panel === 'trace'}
          isSheet={panel === 'controls'}
          onClose={closePanel}
        >
          {panel === 'controls' && <ChatControls rights={rights} />}
          {panel === 'map' && <BranchMap onShow={onShow} />}
          {panel === 'trace' && tracedId !== null && (
            <TraceList key={tracedId} messageId={tracedId} />
          )}
          {panel === 'sources' && source && <SourceViewer open={source} />}
        </SidePanel>
      )}
      {isUsageOpen && (
        <UsageDialog onClose={() => chatViewStore.setState({ isUsageOpen: false })} />
      )}
    </>
  )
}
