import { translate } from '../../lib/i18n.ts'
import { formatNames } from '../../lib/format-list.ts'
import { isRecord, type Fields } from '../../lib/fields.ts'

/** One passage of a source: its text and position in the document. */
export interface ReadPassage {
  readonly text: string
  readonly page: number | null
  readonly pageLabel: string | null
  readonly heading: readonly string[]
  /** Offsets into the text of the document, in UTF-16 units; null if the position is unknown. */
  readonly start: number | null
  readonly end: number | null
  /** From 0 to 1; null if unknown. */
  readonly score: number | null
}

/**
 * A source of an answer in the form it is displayed; sources from tools and other clients come in
 * several shapes.
 */
export interface ReadSource {
  readonly name: string
  readonly url: unknown
  /** Id of the stored file, if it is one. */
  readonly fileId: string | null
  readonly passages: readonly ReadPassage[]
}

/** True for a readable document, as opposed to the result of a tool. */
export const isDocument = ({ fileId, url }: ReadSource): boolean =>
  fileId !== null || (typeof url === 'string' && url !== '')

const toText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const toNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function readPassage(text: unknown, metadata: unknown, distance: unknown): ReadPassage {
  const fields = isRecord(metadata) ? metadata : {}
  return {
    text: typeof text === 'string' ? text : '',
    page: toNumber(fields.page),
    pageLabel: toText(fields.page_label) || null,
    heading: toList(fields.heading).filter((part) => typeof part === 'string'),
    start: toNumber(fields.start),
    end: toNumber(fields.end),
    score: toNumber(fields.score) ?? toNumber(distance),
  }
}

function findFileId(outer: Fields, source: Fields): string | null {
  const [first] = toList(outer.metadata)
  const named = isRecord(first) ? toText(first.file_id) : ''
  return named || (source.type === 'file' ? toText(source.id) : '') || null
}

/** Reads one source; `fallback` is used if it has no name. */
export function readSource(value: unknown, fallback: string): ReadSource {
  const outer = isRecord(value) ? value : {}
  const source = isRecord(outer.source) ? outer.source : outer
  const [metadata, distances] = [toList(outer.metadata), toList(outer.distances)]
  return {
    name: (toText(source.name) || toText(source.title) || toText(source.url) || fallback).slice(
      0,
      200,
    ),
    url: source.url,
    fileId: findFileId(outer, source),
    passages: toList(outer.document).map((text, index) =>
      readPassage(text, metadata[index], distances[index]),
    ),
  }
}

export const readSources = (values: readonly unknown[]): readonly ReadSource[] =>
  values.map((value, index) =>
    readSource(value, translate('chat.sources.untitled', { number: index + 1 })),
  )

/** Returns the beginning of a passage on one line, without markup. */
export const toQuote = ({ text }: ReadPassage, length: number): string =>
  text
    .slice(0, 2 * length)
    .replaceAll(/^[#>|\-\s]+|[*_`|]+|(?<=\n)[#>\s]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, length)

/**
 * Returns the location of passages as text: pages, or the last heading; null if neither is known.
 */
export function toPlace(passages: readonly ReadPassage[]): string | null {
  const labels = passages.flatMap(
    ({ pageLabel, page }) => pageLabel ?? (page === null ? [] : String(page)),
  )
  const pages = [...new Set(labels)]
  if (pages.length > 0)
    return translate('chat.sources.pages', { count: pages.length, pages: formatNames(pages) })
  return passages.flatMap(({ heading }) => heading.at(-1) ?? [])[0] ?? null
}
