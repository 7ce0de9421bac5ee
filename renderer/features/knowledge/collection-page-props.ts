import type { PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import type { CollectionSession } from './collection-session.ts'
import type { OpenDocument } from '../../ui/passages/open-document.ts'

export interface CollectionPageProps {
  readonly session: CollectionSession
  readonly admin: boolean
  readonly userId: string
  readonly mayUpload: boolean
  readonly mayFetch: boolean
  readonly mayOpenToAll: boolean
  readonly principals: PrincipalLoaders
  readonly onOpenDocument: OpenDocument
  readonly onRemove: (id: string, deletesFiles: boolean) => Promise<void>
}
