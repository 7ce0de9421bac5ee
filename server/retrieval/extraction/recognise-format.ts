import { ownValue } from '../../lib/json/own-value.ts'
import { Refusal } from './refusal.ts'
import { languageOf } from './programming-languages.ts'

/** Formats that have a reader. */
export type Format =
  | 'text'
  | 'markdown'
  | 'code'
  | 'table'
  | 'html'
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'opendocument'
  | 'epub'
  | 'rtf'
  | 'mail'
  | 'notebook'
  | 'subtitles'

/** Extensions that imply a format; code and configuration are found by `languageOf`. */
const ENDINGS: Readonly<Record<string, Format>> = {
  txt: 'text',
  text: 'text',
  log: 'text',
  rst: 'text',
  adoc: 'text',
  org: 'text',
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  csv: 'table',
  tsv: 'table',
  tab: 'table',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  pdf: 'pdf',
  docx: 'docx',
  docm: 'docx',
  dotx: 'docx',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  xltx: 'xlsx',
  pptx: 'pptx',
  pptm: 'pptx',
  ppsx: 'pptx',
  potx: 'pptx',
  odt: 'opendocument',
  ott: 'opendocument',
  ods: 'opendocument',
  ots: 'opendocument',
  odp: 'opendocument',
  otp: 'opendocument',
  epub: 'epub',
  rtf: 'rtf',
  eml: 'mail',
  ipynb: 'notebook',
  srt: 'subtitles',
  vtt: 'subtitles',
}

const CONTENT_TYPES: Readonly<Record<string, Format>> = {
  'text/plain': 'text',
  'text/markdown': 'markdown',
  'text/csv': 'table',
  'text/tab-separated-values': 'table',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'opendocument',
  'application/vnd.oasis.opendocument.spreadsheet': 'opendocument',
  'application/vnd.oasis.opendocument.presentation': 'opendocument',
  'application/epub+zip': 'epub',
  'application/rtf': 'rtf',
  'text/rtf': 'rtf',
  'message/rfc822': 'mail',
  'application/x-ipynb+json': 'notebook',
  'application/x-subrip': 'subtitles',
  'text/vtt': 'subtitles',
  'application/json': 'code',
  'application/xml': 'code',
  'text/xml': 'code',
}

const WITHOUT_TEXT = /^(image\/(?!svg)|audio\/|video\/|font\/)/
const ENDINGS_WITHOUT_TEXT =
  /\.(png|jpe?g|gif|webp|bmp|tiff?|ico|heic|heif|avif|psd|mp3|wav|ogg|oga|flac|m4a|aac|opus|mp4|m4v|mov|avi|mkv|webm|wmv|ttf|otf|woff2?|exe|dll|so|dylib|iso|dmg|zip|gz|bz2|xz|7z|rar|tar|tgz|jar|sqlite|db)$/i

/**
 * Returns the format according to name and type; null if neither indicates one, `unreadable` if
 * they indicate a file without text.
 */
export function formatOf(
  filename: string,
  contentType: string | null,
): Format | 'unreadable' | null {
  const ending = /\.([^.]+)$/.exec(filename.toLowerCase())?.[1] ?? ''
  const known = ownValue(ENDINGS, ending)
  if (known) return known
  if (languageOf(filename)) return 'code'
  const type = contentType?.split(';')[0]!.trim().toLowerCase() ?? ''
  const told = ownValue(CONTENT_TYPES, type)
  if (told) return told
  if (WITHOUT_TEXT.test(type) || ENDINGS_WITHOUT_TEXT.test(filename)) return 'unreadable'
  return type.startsWith('text/') ? 'text' : null
}

const OLD_OFFICE: Readonly<Record<string, string>> = {
  doc: 'This is an old Word file. Open it in a word processor and save it as .docx.',
  dot: 'This is an old Word file. Open it in a word processor and save it as .docx.',
  xls: 'This is an old Excel file. Open it in a spreadsheet program and save it as .xlsx.',
  ppt: 'This is an old PowerPoint file. Open it in a presentation program and save it as .pptx.',
  pps: 'This is an old PowerPoint file. Open it in a presentation program and save it as .pptx.',
  msg: 'This is a mail of Outlook. Save it as .eml.',
}
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le')
const PROTECTED = 'The document is protected by a password. Remove the protection and add it again.'

function refuseCompoundFile(filename: string, head: Buffer): never {
  if (head.includes(ENCRYPTED_PACKAGE)) throw new Refusal(PROTECTED)
  const ending = /\.([^.]+)$/.exec(filename.toLowerCase())?.[1] ?? ''
  throw new Refusal(
    ownValue(OLD_OFFICE, ending) ??
      'This file is in an old Office format. Save it in the current format, such as .docx or .xlsx.',
  )
}

const startsWith = (head: Buffer, text: string): boolean =>
  head.subarray(0, text.length).equals(Buffer.from(text, 'latin1'))

/** Returns the office format by the entries of the archive, if the name does not indicate it. */
export function formatOfArchive(names: ReadonlySet<string>): Format | null {
  if (names.has('word/document.xml')) return 'docx'
  if (names.has('xl/workbook.xml')) return 'xlsx'
  if (names.has('ppt/presentation.xml')) return 'pptx'
  if (names.has('META-INF/container.xml')) return 'epub'
  return names.has('content.xml') ? 'opendocument' : null
}

/**
 * Returns the format according to the first bytes; `archive` for a zip file, which must be opened
 * to find out; null if they indicate nothing.
 */
export function formatOfBytes(
  filename: string,
  head: Buffer,
): Format | 'archive' | 'binary' | null {
  if (head.subarray(0, 8).equals(COMPOUND_FILE)) return refuseCompoundFile(filename, head)
  if (head.subarray(0, 1024).includes('%PDF-')) return 'pdf'
  if (startsWith(head, 'PK\x03\x04') || startsWith(head, 'PK\x05\x06')) return 'archive'
  if (startsWith(head, '{\\rtf')) return 'rtf'
  const isKnownBinary = [
    '\x89PNG',
    '\xff\xd8\xff',
    'GIF8',
    '\x7fELF',
    'MZ\x90',
    '\x1f\x8b',
    'BZh9',
    '\xfd7zXZ',
    '7z\xbc\xaf',
    'Rar!',
    'SQLite format 3',
    'OggS',
    'ID3',
    'fLaC',
  ]
  return isKnownBinary.some((magic) => startsWith(head, magic)) ? 'binary' : null
}
