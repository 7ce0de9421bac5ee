import type { OpenDocument } from '../ui/passages/open-document.ts'

/** Shows a stored document at the passage that matters. */
export const openDocument: OpenDocument = ({ fileId, passage }) => {
  const page = passage?.page ? `#page=${passage.page}` : ''
  window.open(`/api/v1/files/${encodeURIComponent(fileId)}/content${page}`, '_blank', 'noopener')
}
