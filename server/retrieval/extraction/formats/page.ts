import { Readability } from '@mozilla/readability'
import { Parser } from 'htmlparser2'
import { parseHTML } from 'linkedom'
import { decodeBytes } from '../decode-text.ts'
import { HtmlConverter } from '../markdown/html-to-markdown.ts'
import { MarkdownWriter } from '../markdown/markdown-writer.ts'
import type { ExtractionJob } from '../protocol.ts'
import type { Reading } from '../reader.ts'
import { Refusal } from '../refusal.ts'
import type { TextSink } from '../text-sink.ts'
import { declaredEncoding } from './html.ts'

type PageJob = Extract<ExtractionJob, { kind: 'page' }>

/**
 * Limits for building a tree; larger pages are converted as a whole, because finding the article
 * needs a tree in memory and recursion.
 */
const LARGEST_FOR_TREE = 6_000_000
const DEEPEST_FOR_TREE = 300
const MOST_ELEMENTS = 60_000
/** An article shorter than this share of the page was probably not found. */
const SMALLEST_SHARE = 0.03
const ENOUGH_CHARACTERS = 250

function decode({ html, contentType }: PageJob): string {
  if (typeof html === 'string') return html
  const declared =
    /charset\s*=\s*"?([\w-]+)/i.exec(contentType ?? '')?.[1] ?? declaredEncoding(html)
  return decodeBytes(html, declared)
}

function isSmallTree(html: string): boolean {
  if (html.length > LARGEST_FOR_TREE) return false
  let [depth, deepest, count] = [0, 0, 0]
  const parser = new Parser({
    onopentagname() {
      count += 1
      depth += 1
      deepest = Math.max(deepest, depth)
      if (deepest > DEEPEST_FOR_TREE || count > MOST_ELEMENTS) parser.reset()
    },
    onclosetag() {
      depth -= 1
    },
  })
  parser.end(html)
  return deepest <= DEEPEST_FOR_TREE && count <= MOST_ELEMENTS
}

interface Article {
  readonly content: string
  readonly title: string | null
}

/** Returns the article of the page without the surrounding content, or null if none is found. */
function findArticle(html: string): Article | null {
  const { document } = parseHTML(html)
  // A text without any element has no tree.
  if (document.firstElementChild === null) return null
  const whole = document.body?.textContent?.length ?? 0
  const article = new Readability(
    document as unknown as ConstructorParameters<typeof Readability>[0],
    {
      charThreshold: ENOUGH_CHARACTERS,
    },
  ).parse()
  const length = article?.textContent?.trim().length ?? 0
  if (!article?.content || length < Math.min(ENOUGH_CHARACTERS, whole * SMALLEST_SHARE)) return null
  return { content: article.content, title: article.title?.trim() || null }
}

/** Writes the article of a fetched page into the sink; the whole page when it has no article. */
export async function readPage(job: PageJob, sink: TextSink): Promise<Reading> {
  const html = decode(job)
  const article = isSmallTree(html) ? findArticle(html) : null
  const converter = new HtmlConverter({ writer: new MarkdownWriter(sink), baseUrl: job.url })
  converter.write(article?.content ?? html)
  converter.end()
  await sink.flush()
  if (sink.length() === 0)
    throw new Refusal(
      'The page holds no text. It may be built by scripts in the browser, which are not run here.',
    )
  return { format: 'markdown', title: article?.title ?? converter.title() }
}
