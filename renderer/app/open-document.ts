import type { OpenDocument } from '../ui/passages/open-document.ts'
import { showDocument } from '../ui/document-viewer/shown-document.ts'

/** Shows a stored document at the passage that matters. */
export const openDocument: OpenDocument = ({ fileId, name, passage }) =>
  showDocument({ kind: 'file', id: fileId, name, place: passage ?? null })
