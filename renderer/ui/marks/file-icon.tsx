import { File, FileSpreadsheet, FileText, Image } from 'lucide-react'

const TABLES = /spreadsheet|excel|csv|tab-separated/

/** Icon for the type of a file. */
export function FileIcon({ type }: { type: string }) {
  if (type.startsWith('image/')) return <Image />
  if (TABLES.test(type)) return <FileSpreadsheet />
  if (/^text\/|pdf|document|presentation|rtf|epub|json|xml/.test(type)) return <FileText />
  return <File />
}
