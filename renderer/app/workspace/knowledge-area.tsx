import { useStore } from 'zustand'
import { isAdmin } from '../../features/auth/session-store.ts'
import { CollectionPage } from '../../features/knowledge/collection-page.tsx'
import { openCollectionSession } from '../../features/knowledge/collection-session.ts'
import { KnowledgePage } from '../../features/knowledge/knowledge-page.tsx'
import { createKnowledgeStore, removeCollection } from '../../features/knowledge/knowledge-store.ts'
import { translate } from '../../lib/i18n.ts'
import { navigate, workspacePath } from '../../lib/router.ts'
import { toast } from '../../ui/floating/toast.tsx'
import { openDocument } from '../chats/open-document.ts'
import { isPermitted } from '../person/permissions.ts'
import { principals } from '../person/principals.ts'
import { sessionStore } from '../stores.ts'

const knowledgeStore = createKnowledgeStore()

async function remove(id: string, deletesFiles: boolean): Promise<void> {
  const name = openCollectionSession(id).store.getState().collection?.name ?? ''
  await removeCollection(knowledgeStore, id, deletesFiles)
  navigate(workspacePath('knowledge'), { replace: true, from: workspacePath('knowledge', id) })
  toast({ text: translate('knowledge.removed', { name }) })
}

/** Document collections: the list, or one of them. */
export function KnowledgeArea({ item }: { item: string | null }) {
  const admin = useStore(sessionStore, isAdmin)
  const userId = useStore(sessionStore, (state) => state.user?.id ?? '')
  const mayCreate = useStore(sessionStore, isPermitted('workspace.knowledge'))
  const mayUpload = useStore(sessionStore, isPermitted('chat.file_upload'))
  const mayFetch = useStore(sessionStore, isPermitted('chat.web_upload'))
  const mayOpenToAll = useStore(sessionStore, isPermitted('sharing.public_knowledge'))
  if (!item)
    return (
      <KnowledgePage
        store={knowledgeStore}
        mayCreate={mayCreate}
        onOpen={(id) => navigate(workspacePath('knowledge', id))}
      />
    )
  return (
    <CollectionPage
      key={item}
      session={openCollectionSession(item)}
      admin={admin}
      userId={userId}
      mayUpload={mayUpload}
      mayFetch={mayFetch}
      mayOpenToAll={mayOpenToAll}
      principals={principals}
      onOpenDocument={openDocument}
      onRemove={remove}
    />
  )
}
