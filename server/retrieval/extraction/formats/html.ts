import { readText } from '../decode-text.ts'
import { HtmlConverter } from '../markdown/html-to-markdown.ts'
import { MarkdownWriter } from '../markdown/markdown-writer.ts'
import type { Reader } from '../reader.ts'

const META_CHARSET = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i

/** Returns the encoding declared in the head of an HTML page. */
export const declaredEncoding = (head: Uint8Array): string | null =>
  META_CHARSET.exec(Buffer.from(head.subarray(0, 4096)).toString('latin1'))?.[1] ?? null

/** Reads all visible content of the file, not only the article. */
export const readHtml: Reader = async (file, { sink, progress }) => {
  const converter = new HtmlConverter({ writer: new MarkdownWriter(sink) })
  for await (const piece of readText(file.path, {
    onBytes: (read) => progress(read, file.size),
    declared: declaredEncoding(file.head),
  })) {
    converter.write(piece)
    await sink.flush()
  }
  converter.end()
  return { format: 'markdown', title: converter.title() }
}
