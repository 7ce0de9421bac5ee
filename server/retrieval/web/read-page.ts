import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { decodePercent } from '../../lib/text/decode-percent.ts'
import { badRequest, upstreamFailed } from '../../lib/errors.ts'
import type { GuardedFetch, GuardedReply } from '../../lib/outgoing/guarded-fetch.ts'
import { ownValue } from '../../lib/json/own-value.ts'
import type { ExtractedDocument, Extraction } from '../extraction/index.ts'
import { findVideo, readCaptions } from './read-captions.ts'
import type { WebPage } from './web-page.ts'

export interface WebReaderDependencies {
  readonly fetch: Pick<GuardedFetch, 'fetch' | 'check'>
  readonly extraction: Pick<Extraction, 'extract' | 'extractPage' | 'canExtract'>
  /** For documents passed to the extraction; in the data folder. */
  readonly temporaryFolder: string
  /** Preferred languages of captions, the best first. */
  readonly languages: () => readonly string[]
}

const HTML = /^(text\/html|application\/xhtml\+xml)$/
const LONGEST_NAME = 200
const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'application/json': '.json',
  'application/xml': '.xml',
  'text/xml': '.xml',
  'text/csv': '.csv',
  'text/markdown': '.md',
  'text/plain': '.txt',
  'application/epub+zip': '.epub',
  'application/rtf': '.rtf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': '.pptx',
  'application/vnd.oasis.opendocument.text': '.odt',
}

const mediaTypeOf = ({ headers }: GuardedReply): string | null =>
  String(headers['content-type'] ?? '')
    .split(';', 1)[0]!
    .trim()
    .toLowerCase() || null

/** Recognises HTML pages whose server sends no media type. */
const looksLikeHtml = (bytes: Buffer): boolean =>
  /^\uFEFF?\s*<(!doctype html|html|head|body|!--)/i.test(bytes.toString('latin1', 0, 512))

function lastPart(url: URL): string {
  return decodePercent(url.pathname.split('/').findLast((each) => each !== '') ?? '')
}

/**
 * Returns a file name that indicates the type of a document to its reader; never used as a path.
 */
function filenameOf(url: URL, mediaType: string | null): string {
  const name = lastPart(url).replace(/[/\\]/g, '_').slice(-LONGEST_NAME)
  const extension = ownValue(EXTENSIONS, mediaType ?? '') ?? ''
  return /\.\w{1,8}$/.test(name) || extension === ''
    ? name || 'page'
    : `${name || 'page'}${extension}`
}

function requireSuccess({ status }: GuardedReply): void {
  if (status >= 500)
    throw upstreamFailed(`The site answered with the error ${status}. Try again later.`)
  if (status < 200 || status >= 300)
    throw badRequest(`The site answered with the error ${status}. Check the address.`, {
      code: 'page_missing',
    })
}

/** Reads pages, documents and captions of videos at URLs given by users. */
export class WebReader {
  readonly #deps: WebReaderDependencies

  /** Creates the reader; its content is parsed in separate processes. */
  constructor(deps: WebReaderDependencies) {
    this.#deps = deps
    const { temporaryFolder } = deps
    // Deletes files left by a crash.
    rmSync(temporaryFolder, { recursive: true, force: true })
  }

  /**
   * Reads in one request and its redirects. Throws 400 for refused URLs and content without text,
   * 422 for an unreadable document, 502 and 504 if the site fails.
   */
  async read(address: string, signal: AbortSignal): Promise<WebPage> {
    const { fetch, languages } = this.#deps
    const video = findVideo(fetch.check(address))
    if (video !== null) return readCaptions({ fetch, languages: languages() }, video, signal)
    const reply = await fetch.fetch(address, {}, signal)
    requireSuccess(reply)
    const page = await this.#readReply(reply, signal)
    if (page.text.trim() === '') {
      throw badRequest('There is no text on this page. It may need scripts to show its content.', {
        code: 'empty_content',
      })
    }
    return page
  }

  async #extractFile(
    bytes: Buffer,
    filename: string,
    contentType: string | null,
    signal: AbortSignal,
  ): Promise<ExtractedDocument> {
    const { extraction, temporaryFolder } = this.#deps
    if (!extraction.canExtract(filename, contentType))
      throw badRequest('There is no text or readable document at this address.')
    await mkdir(temporaryFolder, { recursive: true, mode: 0o700 })
    const file = path.join(temporaryFolder, `${randomUUID()}.download`)
    try {
      await writeFile(file, bytes, { mode: 0o600 })
      return await extraction.extract({ path: file, filename, contentType }, { signal })
    } finally {
      await rm(file, { force: true })
    }
  }

  async #readReply(reply: GuardedReply, signal: AbortSignal): Promise<WebPage> {
    const url = new URL(reply.url)
    const mediaType = mediaTypeOf(reply)
    const isHtml =
      mediaType === null || mediaType === 'application/octet-stream'
        ? looksLikeHtml(reply.bytes)
        : HTML.test(mediaType)
    const filename = filenameOf(url, mediaType)
    const content = isHtml
      ? await this.#deps.extraction.extractPage(
          { html: reply.bytes, url: reply.url, contentType: reply.headers['content-type'] ?? null },
          { signal },
        )
      : await this.#extractFile(reply.bytes, filename, mediaType, signal)
    const title = content.title?.trim().slice(0, LONGEST_NAME) || null
    const name = title ?? (lastPart(url).slice(-LONGEST_NAME) || url.hostname)
    return { url: reply.url, title, name, text: content.text, content }
  }
}
