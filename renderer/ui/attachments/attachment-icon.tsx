import { BookOpenText, FileText, Globe, Image, MessagesSquare, NotebookPen } from 'lucide-react'
import type { AttachedEntry } from './attached-entry.ts'

const ICONS: Record<AttachedEntry['type'], typeof FileText> = {
  file: FileText,
  image: Image,
  collection: BookOpenText,
  url: Globe,
  note: NotebookPen,
  chat: MessagesSquare,
  text: FileText,
}

/** Icon for the kind of an attachment. */
export function AttachmentIcon({ type }: { type: AttachedEntry['type'] }) {
  const Icon = ICONS[type]
  return <Icon aria-hidden="true" />
}
