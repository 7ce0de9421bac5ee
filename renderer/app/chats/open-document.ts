import type { OpenDocument } from '../../ui/passages/open-document.ts'
import { showDocument } from '../../ui/document-viewer/shown-document.ts'

/** Opens a stored document at the given passage. */
export const openDocument: OpenDocument = ({ fileId, name, passage }) =>
  showDocument({ kind: 'file', id: fileId, name, place: passage ?? null })
