import { deflateSync } from 'node:zlib'
import { deflateRepeated } from './build-archive.ts'
import type { PoisonedDocument } from './poisoned-document.ts'

interface PdfObject {
  readonly dictionary: string
  readonly stream?: Buffer
}

/** Returns a PDF of these objects, numbered from 1; the first is the root. */
export function buildPdf(objects: readonly PdfObject[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let position = parts[0]!.length
  const add = (part: Buffer): void => {
    parts.push(part)
    position += part.length
  }
  for (const [index, { dictionary, stream }] of objects.entries()) {
    offsets.push(position)
    add(Buffer.from(`${index + 1} 0 obj\n${dictionary}\n`))
    if (stream) add(Buffer.concat([Buffer.from('stream\n'), stream, Buffer.from('\nendstream\n')]))
    add(Buffer.from('endobj\n'))
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  add(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${position}\n%%EOF`,
    ),
  )
  return Buffer.concat(parts)
}

const ROOT: PdfObject = { dictionary: '<< /Type /Catalog /Pages 2 0 R >>' }
const PAGES: PdfObject = { dictionary: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>' }
const PAGE: PdfObject = {
  dictionary:
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R >>',
}
const FONT: PdfObject = { dictionary: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>' }

const content = (stream: Buffer, filter: string): PdfObject => ({
  dictionary: `<< /Length ${stream.length} /Filter ${filter} >>`,
  stream,
})
const withContent = (object: PdfObject): Buffer => buildPdf([ROOT, PAGES, PAGE, object, FONT])
/**
 * Returns this many mebibytes of compressed spaces. The checksum at the end is wrong, which no
 * reader checks.
 */
const deflateBlanks = (mebibytes: number): Buffer =>
  Buffer.concat([
    Buffer.from([0x78, 0x01]),
    deflateRepeated(Buffer.alloc(1024 * 1024, ' '), mebibytes),
    Buffer.alloc(4),
  ])
const shown = (text: string): Buffer =>
  deflateSync(Buffer.from(`BT /F 12 Tf 50 700 Td (${text}) Tj ET`))

export const poisonedPdfs: readonly PoisonedDocument[] = [
  {
    filename: 'garbage.pdf',
    outcome: 'refused',
    build: () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(50_000, 0xa7)]),
  },
  {
    filename: 'truncated.pdf',
    outcome: 'any',
    build: () => withContent(content(shown('kept'), '/FlateDecode')).subarray(0, 330),
  },
  { filename: 'not-a.pdf', outcome: 'refused', build: () => Buffer.from('just words') },
  {
    filename: 'declared-pages.pdf',
    outcome: 'any',
    build: () =>
      buildPdf([
        ROOT,
        { dictionary: '<< /Type /Pages /Kids [3 0 R] /Count 2147483647 >>' },
        PAGE,
        content(shown('kept'), '/FlateDecode'),
        FONT,
      ]),
  },
  {
    filename: 'pages-in-a-circle.pdf',
    outcome: 'any',
    build: () =>
      buildPdf([ROOT, { dictionary: '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>' }]),
  },
  {
    filename: 'swollen-stream.pdf',
    outcome: 'any',
    build: () => withContent(content(deflateBlanks(700), '/FlateDecode')),
  },
  {
    filename: 'twice-swollen-stream.pdf',
    outcome: 'any',
    build: () =>
      withContent(content(deflateSync(deflateBlanks(600)), '[/FlateDecode /FlateDecode]')),
  },
  {
    filename: 'many-words.pdf',
    outcome: 'any',
    build: () =>
      withContent(
        content(
          deflateSync(
            Buffer.from(`BT /F 12 Tf ${'1 0 Td (some words) Tj '.repeat(2_000_000)} ET`),
            { level: 1 },
          ),
          '/FlateDecode',
        ),
      ),
  },
  {
    filename: 'object-stream.pdf',
    outcome: 'any',
    build: () =>
      buildPdf([
        ROOT,
        PAGES,
        PAGE,
        {
          dictionary: '<< /Type /ObjStm /N 1000000000 /First 10 /Length 12 >>',
          stream: Buffer.from('4 0 5 0 6 0 '),
        },
        FONT,
      ]),
  },
  {
    filename: 'table-of-itself.pdf',
    outcome: 'any',
    build: () =>
      buildPdf([ROOT, PAGES, PAGE, content(shown('kept'), '/FlateDecode'), FONT], '/Prev 9 '),
  },
  {
    filename: 'scripts.pdf',
    outcome: 'read',
    build: (canary) =>
      buildPdf([
        {
          dictionary: `<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.launchURL\\("${canary}/script"\\)) >> /AA << /O << /S /URI /URI (${canary}/uri) >> >> >>`,
        },
        PAGES,
        {
          dictionary: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >> /Contents 4 0 R >>`,
        },
        content(shown('kept'), '/FlateDecode'),
        FONT,
        {
          dictionary: `<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /F << /FS /URL /F (${canary}/image) >> /Length 0 >>`,
          stream: Buffer.alloc(0),
        },
      ]),
  },
  {
    filename: 'deep-arrays.pdf',
    outcome: 'any',
    build: () =>
      buildPdf([
        { dictionary: `<< /Type /Catalog /Pages 2 0 R /X ${'['.repeat(500_000)} >>` },
        PAGES,
        PAGE,
        content(shown('kept'), '/FlateDecode'),
        FONT,
      ]),
  },
]
