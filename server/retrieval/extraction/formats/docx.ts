import { openArchive } from '../archive/open-archive.ts'
import { parseXml } from '../archive/parse-xml.ts'
import { readOfficeTitle, readRelations } from '../archive/relations.ts'
import { MarkdownWriter } from '../markdown/markdown-writer.ts'
import type { Reader } from '../reader.ts'
import { Refusal } from '../refusal.ts'
import { createWordBodyListener } from './word-body.ts'
import { readWordStyles } from './word-styles.ts'

export const readDocx: Reader = async (file, { sink }) => {
  await using archive = await openArchive(file.path)
  const main = archive.has('word/document.xml')
    ? 'word/document.xml'
    : [...archive.names].find((name) => /^word\/document\d*\.xml$/.test(name))
  if (!main) throw new Refusal('The file is damaged: it holds no Word document.')
  const writer = new MarkdownWriter(sink)
  const styles = await readWordStyles(archive)
  for (const part of [main, 'word/footnotes.xml', 'word/endnotes.xml']) {
    const listener = createWordBodyListener({
      writer,
      styles,
      relations: await readRelations(archive, part),
    })
    await parseXml(archive.stream(part), listener, () => sink.flush())
  }
  return { format: 'markdown', title: await readOfficeTitle(archive) }
}
