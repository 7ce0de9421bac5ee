import { open, stat } from 'node:fs/promises'
import { openArchive } from './archive/open-archive.ts'
import type { ReadableFile, Reader, Reading, ReadingTarget } from './reader.ts'
import { formatOf, formatOfArchive, formatOfBytes, type Format } from './recognise-format.ts'
import { Refusal } from './refusal.ts'

const HEAD_BYTES = 64 * 1024
const UNKNOWN = 'Files of this kind contain no readable text.'

/** Readers are loaded when a document needs them. */
const READERS: Readonly<Record<Format, () => Promise<Reader>>> = {
  text: async () => (await import('./formats/text.ts')).readPlainText,
  markdown: async () => (await import('./formats/text.ts')).readMarkdown,
  code: async () => (await import('./formats/text.ts')).readCode,
  table: async () => (await import('./formats/table.ts')).readTable,
  html: async () => (await import('./formats/html.ts')).readHtml,
  pdf: async () => (await import('./formats/pdf.ts')).readPdf,
  docx: async () => (await import('./formats/docx.ts')).readDocx,
  xlsx: async () => (await import('./formats/xlsx.ts')).readXlsx,
  pptx: async () => (await import('./formats/pptx.ts')).readPptx,
  opendocument: async () => (await import('./formats/opendocument.ts')).readOpenDocument,
  epub: async () => (await import('./formats/epub.ts')).readEpub,
  rtf: async () => (await import('./formats/rtf.ts')).readRtf,
  mail: async () => (await import('./formats/mail.ts')).readMail,
  notebook: async () => (await import('./formats/notebook.ts')).readNotebook,
  subtitles: async () => (await import('./formats/subtitles.ts')).readSubtitles,
}

/** The bytes take precedence over the name, because names are often wrong and bytes cannot be. */
async function recognise(file: ReadableFile): Promise<Format> {
  const named = formatOf(file.filename, file.contentType)
  const found = formatOfBytes(file.filename, file.head)
  if (found === 'binary') throw new Refusal(UNKNOWN)
  if (found === 'archive') {
    await using archive = await openArchive(file.path)
    const inside = formatOfArchive(archive.names)
    if (!inside) throw new Refusal('This is an archive. Unpack it and add the files in it.')
    return inside
  }
  if (found) return found
  if (named === 'unreadable') throw new Refusal(UNKNOWN)
  const needsArchive = named && ['docx', 'xlsx', 'pptx', 'opendocument', 'epub'].includes(named)
  if (named === 'pdf') throw new Refusal('The file is damaged: it does not begin like a PDF.')
  if (needsArchive)
    throw new Refusal('The file is damaged: it does not begin like a document of its kind.')
  // A file with a wrong extension still contains text.
  return named === 'rtf' || named === null ? 'text' : named
}

/** Writes the text of a stored file to the sink. */
export async function readDocument(
  source: { path: string; filename: string; contentType: string | null },
  target: ReadingTarget,
): Promise<Reading> {
  const { size } = await stat(source.path)
  if (size === 0) throw new Refusal('The file is empty.')
  const head = Buffer.alloc(Math.min(size, HEAD_BYTES))
  const handle = await open(source.path)
  await handle.read(head, 0, head.length, 0)
  await handle.close()
  const file = { ...source, size, head }
  const reader = await READERS[await recognise(file)]()
  return await reader(file, target)
}
