import { File, FileSpreadsheet, FileText, Image } from 'lucide-react'

const TABLES = /spreadsheet|excel|csv|tab-separated/

/** Icon for the type of a file. */
export function FileIcon({ type }: { type: string }) {
  if (type.startsWith('image/')) return <Image aria-hidden="true" />
  if (TABLES.test(type)) return <FileSpreadsheet aria-hidden="true" />
  if (/^text\/|pdf|document|presentation|rtf|epub|json|xml/.test(type))
    return <FileText aria-hidden="true" />
  return <File aria-hidden="true" />
}
