import { openArchive } from '../archive/open-archive.ts'
import { parseXml } from '../archive/parse-xml.ts'
import { readTitle } from '../archive/relations.ts'
import { MarkdownWriter } from '../markdown/markdown-writer.ts'
import type { Reader } from '../reader.ts'
import { Refusal } from '../refusal.ts'
import { OpenDocumentListener } from './opendocument-body.ts'

/** Texts, tables and presentations of this format share one kind of body with different content. */
export const readOpenDocument: Reader = async (file, { sink }) => {
  await using archive = await openArchive(file.path)
  const manifest = await archive.read('META-INF/manifest.xml')
  if (manifest?.includes('encryption-data'))
    throw new Refusal(
      'The document is protected by a password. Remove the protection and add it again.',
    )
  if (!archive.has('content.xml')) throw new Refusal('The file is damaged: it holds no document.')
  const listener = new OpenDocumentListener(new MarkdownWriter(sink))
  await parseXml(archive.stream('content.xml'), listener, () => sink.flush())
  return {
    format: listener.isSpreadsheet ? 'table' : 'markdown',
    title: await readTitle(await archive.read('meta.xml')),
  }
}
