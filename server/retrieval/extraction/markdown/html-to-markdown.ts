import { Parser } from 'htmlparser2'
import { createHtmlBlocks, isBlock, type HtmlBlocks } from './html-blocks.ts'
import type { MarkdownWriter } from './markdown-writer.ts'

type HtmlAttributes = Readonly<Record<string, string>>

export interface HtmlOptions {
  readonly writer: MarkdownWriter
  /** Base URL of relative links; without it only absolute URLs are kept. */
  readonly baseUrl?: string | null
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
/** Maximum nesting depth; deeper content is omitted, which no real page has. */
const DEEPEST = 1_000

const isHidden = (attributes: HtmlAttributes): boolean =>
  'hidden' in attributes ||
  attributes['aria-hidden'] === 'true' ||
  /display\s*:\s*none/i.test(attributes['style'] ?? '')

function resolveLink(href: string, baseUrl: string | null): string | null {
  const url = URL.parse(href, baseUrl ?? undefined)
  return url && /^(https?|mailto):$/.test(url.protocol) ? url.href : null
}

/** Inline elements within the text of a block. */
class Inline {
  readonly #blocks: HtmlBlocks
  readonly #baseUrl: string | null
  readonly #links: { readonly href: string | null; readonly start: number }[] = []

  constructor(blocks: HtmlBlocks, baseUrl: string | null) {
    this.#blocks = blocks
    this.#baseUrl = baseUrl
  }

  open(name: string, attributes: HtmlAttributes): void {
    if (name === 'br') this.#blocks.line += '\n'
    else if (name === 'img') this.#blocks.line += attributes['alt']?.trim() ?? ''
    else if (name === 'a')
      this.#links.push({
        href: resolveLink(attributes['href'] ?? '', this.#baseUrl),
        start: this.#blocks.line.length,
      })
    else if (name === 'code' && !this.#blocks.isPreformatted()) this.#blocks.line += '`'
    else if (name === 'code')
      this.#blocks.language =
        /(?:^|\s)lang(?:uage)?-([\w+#-]+)/.exec(attributes['class'] ?? '')?.[1] ??
        this.#blocks.language
  }

  close(name: string): void {
    if (name === 'code' && !this.#blocks.isPreformatted()) this.#blocks.line += '`'
    if (name === 'a') this.#closeLink()
  }

  #closeLink(): void {
    const link = this.#links.pop()
    const label = link ? this.#blocks.line.slice(link.start).trim() : ''
    if (!link?.href || label === '' || label === link.href || label.includes('\n')) return
    this.#blocks.line = `${this.#blocks.line.slice(0, link.start)}[${label}](${link.href})`
  }
}

/**
 * Converts HTML as a stream without a tree, so neither size nor depth costs memory. Nothing is
 * loaded or executed.
 */
export class HtmlConverter {
  readonly #blocks
  #title = ''
  readonly #parser

  constructor({ writer, baseUrl = null }: HtmlOptions) {
    this.#blocks = createHtmlBlocks(writer)
    const inline = new Inline(this.#blocks, baseUrl)
    let isTitle = false
    let depth = 0
    /** Depth of the element that is skipped with its content; 0 for none. */
    let skippedFrom = 0
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => {
          depth += 1
          if (skippedFrom > 0) return
          if (depth > DEEPEST || SKIPPED.has(name) || isHidden(attributes)) skippedFrom = depth
          else if (name === 'title') isTitle = true
          else if (isBlock(name)) this.#blocks.open(name, attributes)
          else inline.open(name, attributes)
        },
        onclosetag: (name) => {
          const wasSkipped = skippedFrom > 0
          if (depth === skippedFrom) skippedFrom = 0
          depth -= 1
          if (wasSkipped) return
          if (name === 'title') isTitle = false
          else if (isBlock(name)) this.#blocks.close(name)
          else inline.close(name)
        },
        ontext: (text) => {
          if (skippedFrom > 0) return
          if (isTitle) this.#title += text
          else
            this.#blocks.line += this.#blocks.isPreformatted() ? text : text.replaceAll(/\s+/g, ' ')
        },
      },
      { decodeEntities: true, recognizeSelfClosing: false },
    )
  }

  write(html: string): void {
    this.#parser.write(html)
  }

  end(): void {
    this.#parser.end()
    this.#blocks.end()
  }

  /** Returns the text of the title element. */
  title(): string | null {
    return this.#title.replaceAll(/\s+/g, ' ').trim() || null
  }
}
