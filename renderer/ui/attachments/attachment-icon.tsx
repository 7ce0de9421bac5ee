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

/** What kind of thing is attached, at a glance. */
export function AttachmentIcon({ type }: { type: AttachedEntry['type'] }) {
  const Icon = ICONS[type]
  return <Icon aria-hidden="true" />
}
