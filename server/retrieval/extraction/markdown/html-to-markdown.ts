import { Parser } from 'htmlparser2'
import { createHtmlBlocks, isBlock, type HtmlBlocks } from './html-blocks.ts'
import type { MarkdownWriter } from './markdown-writer.ts'

type HtmlAttributes = Readonly<Record<string, string>>

export interface HtmlOptions {
  readonly writer: MarkdownWriter
  /** Address relative links belong to; without one only full addresses are kept. */
  readonly baseUrl?: string | null
}

export interface HtmlConverter {
  write(html: string): void
  end(): void
  /** Text of the title element. */
  title(): string | null
}

const SKIPPED = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'object',
  'canvas',
  'select',
  'textarea',
  'math',
])
/** What is nested deeper than this is left out; no page people read is. */
const DEEPEST = 1_000

const isHidden = (attributes: HtmlAttributes): boolean =>
  'hidden' in attributes ||
  attributes['aria-hidden'] === 'true' ||
  /display\s*:\s*none/i.test(attributes['style'] ?? '')

function resolveLink(href: string, baseUrl: string | null): string | null {
  const url = URL.parse(href, baseUrl ?? undefined)
  return url && /^(https?|mailto):$/.test(url.protocol) ? url.href : null
}

/** Elements within the text of a block. */
function createInline(blocks: HtmlBlocks, baseUrl: string | null) {
  const links: { readonly href: string | null; readonly start: number }[] = []

  function closeLink(): void {
    const link = links.pop()
    const label = link ? blocks.line.slice(link.start).trim() : ''
    if (!link?.href || label === '' || label === link.href || label.includes('\n')) return
    blocks.line = `${blocks.line.slice(0, link.start)}[${label}](${link.href})`
  }

  return {
    open(name: string, attributes: HtmlAttributes): void {
      if (name === 'br') blocks.line += '\n'
      else if (name === 'img') blocks.line += attributes['alt']?.trim() ?? ''
      else if (name === 'a')
        links.push({
          href: resolveLink(attributes['href'] ?? '', baseUrl),
          start: blocks.line.length,
        })
      else if (name === 'code' && !blocks.isPreformatted()) blocks.line += '`'
      else if (name === 'code')
        blocks.language =
          /(?:^|\s)lang(?:uage)?-([\w+#-]+)/.exec(attributes['class'] ?? '')?.[1] ?? blocks.language
    },
    close(name: string): void {
      if (name === 'code' && !blocks.isPreformatted()) blocks.line += '`'
      if (name === 'a') closeLink()
    },
  }
}

/**
 * Converts HTML from front to back without a tree, so neither size nor depth costs memory. Nothing
 * is loaded or run.
 */
export function createHtmlConverter({ writer, baseUrl = null }: HtmlOptions): HtmlConverter {
  const blocks = createHtmlBlocks(writer)
  const inline = createInline(blocks, baseUrl)
  let title = ''
  let isTitle = false
  let depth = 0
  /** Depth of the element that is skipped with all in it; 0 for none. */
  let skippedFrom = 0

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1
        if (skippedFrom > 0) return
        if (depth > DEEPEST || SKIPPED.has(name) || isHidden(attributes)) skippedFrom = depth
        else if (name === 'title') isTitle = true
        else if (isBlock(name)) blocks.open(name, attributes)
        else inline.open(name, attributes)
      },
      onclosetag(name) {
        const wasSkipped = skippedFrom > 0
        if (depth === skippedFrom) skippedFrom = 0
        depth -= 1
        if (wasSkipped) return
        if (name === 'title') isTitle = false
        else if (isBlock(name)) blocks.close(name)
        else inline.close(name)
      },
      ontext(text) {
        if (skippedFrom > 0) return
        if (isTitle) title += text
        else blocks.line += blocks.isPreformatted() ? text : text.replaceAll(/\s+/g, ' ')
      },
    },
    { decodeEntities: true, recognizeSelfClosing: false },
  )
  return {
    write: (html) => parser.write(html),
    end() {
      parser.end()
      blocks.end()
    },
    title: () => title.replaceAll(/\s+/g, ' ').trim() || null,
  }
}
