import path from 'node:path'
import { decodePercent } from '../../../lib/text/decode-percent.ts'
import { openArchive, type Archive } from '../archive/open-archive.ts'
import { attribute, readElements } from '../archive/parse-xml.ts'
import { readTitle } from '../archive/relations.ts'
import { HtmlConverter } from '../markdown/html-to-markdown.ts'
import { MarkdownWriter } from '../markdown/markdown-writer.ts'
import type { Reader } from '../reader.ts'
import { Refusal } from '../refusal.ts'

const PROTECTED = 'The book is protected against copying, so it cannot be read here.'
/** Fonts may be obfuscated without protecting the text. */
const FONT_METHODS = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/

async function refuseProtection(archive: Archive): Promise<void> {
  const methods = await readElements(
    await archive.read('META-INF/encryption.xml'),
    'EncryptionMethod',
  )
  if (methods.some((attributes) => !FONT_METHODS.test(attribute(attributes, 'Algorithm') ?? '')))
    throw new Refusal(PROTECTED)
}

/** Returns the names of the chapters in reading order. */
async function chaptersOf(archive: Archive, packageName: string, text: string): Promise<string[]> {
  const folder = path.posix.dirname(packageName)
  const items = new Map(
    (await readElements(text, 'item')).map((item) => [attribute(item, 'id') ?? '', item]),
  )
  const names = (await readElements(text, 'itemref')).flatMap((reference) => {
    const href = attribute(items.get(attribute(reference, 'idref') ?? '') ?? {}, 'href')
    if (href === null) return []
    const name = path.posix.normalize(path.posix.join(folder, decodePercent(href.split('#')[0]!)))
    return archive.has(name) ? [name] : []
  })
  return [...new Set(names)]
}

export const readEpub: Reader = async (file, { sink, progress }) => {
  await using archive = await openArchive(file.path)
  await refuseProtection(archive)
  const [root] = await readElements(await archive.read('META-INF/container.xml'), 'rootfile')
  const packageName = attribute(root ?? {}, 'full-path') ?? ''
  const text = await archive.read(packageName)
  if (text === null) throw new Refusal('The file is damaged: the list of its chapters is missing.')
  const chapters = await chaptersOf(archive, packageName, text)
  const writer = new MarkdownWriter(sink)
  for (const [index, chapter] of chapters.entries()) {
    writer.page(`Chapter ${index + 1}`)
    const converter = new HtmlConverter({ writer })
    for await (const piece of archive.stream(chapter)) {
      converter.write(piece)
      await sink.flush()
    }
    converter.end()
    progress(index + 1, chapters.length)
  }
  return { format: 'markdown', title: await readTitle(text) }
}
