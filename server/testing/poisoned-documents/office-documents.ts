import { entry, forgeArchive, swollenEntry, type ForgedEntry } from './build-archive.ts'
import type { PoisonedDocument } from './poisoned-document.ts'

const MEBIBYTE = 1024 * 1024

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const word = (body: string, prologue = ''): ForgedEntry =>
  entry('word/document.xml', `${prologue}<w:document ${WORD}><w:body>${body}</w:body></w:document>`)
const docx = (...entries: ForgedEntry[]): Buffer =>
  forgeArchive([entry('[Content_Types].xml', '<Types/>'), ...entries])

const relation = (target: string, type = 'worksheet', mode = ''): string =>
  `<Relationships><Relationship Id="r1" Type="http://x/${type}" Target="${target}"${mode}/></Relationships>`
const xlsx = (...entries: ForgedEntry[]): Buffer =>
  forgeArchive([
    entry(
      'xl/workbook.xml',
      '<workbook><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>',
    ),
    entry('xl/_rels/workbook.xml.rels', relation('worksheets/one.xml')),
    ...entries,
  ])
const SHEET = { head: '<worksheet><sheetData>', tail: '</sheetData></worksheet>' }
const sheet = (rows: string): ForgedEntry =>
  entry('xl/worksheets/one.xml', SHEET.head + rows + SHEET.tail)

const LAUGHS = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "haha">${'bcdefghij'
  .split('')
  .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefghi'[index]};`.repeat(10)}">`)
  .join('')}]>`

const OPEN = 'office:document-content'
const open = (body: string): ForgedEntry =>
  entry('content.xml', `<${OPEN}><office:body>${body}</office:body></${OPEN}>`)

const words: PoisonedDocument[] = [
  {
    filename: 'swollen.docx',
    outcome: 'refused',
    build: () => docx(swollenEntry('word/document.xml', 1100)),
  },
  {
    filename: 'lying-size.docx',
    outcome: 'refused',
    build: () => docx(swollenEntry('word/document.xml', 1100, { size: 1000 })),
  },
  {
    filename: 'swollen-paragraphs.docx',
    outcome: 'refused',
    build: () =>
      docx(
        swollenEntry('word/document.xml', 900, {
          head: '<w:document>',
          chunk: paragraph('a'),
          size: 4_000,
        }),
      ),
  },
  {
    filename: 'many-paragraphs.docx',
    outcome: 'refused',
    build: () =>
      docx(
        swollenEntry('word/document.xml', 310, {
          chunk: Array.from({ length: 800 }, (_, index) => paragraph(`${index}`)).join(''),
        }),
      ),
  },
  {
    filename: 'swollen-beside-bytes.docx',
    outcome: 'refused',
    build: () =>
      docx(swollenEntry('word/document.xml', 100), {
        name: 'word/media/1.bin',
        data: Buffer.alloc(MEBIBYTE),
        method: 0,
        size: MEBIBYTE,
      }),
  },
  {
    filename: 'many-swollen.docx',
    outcome: 'refused',
    build: () =>
      docx(
        word(''),
        ...Array.from({ length: 40 }, (_, index) => swollenEntry(`word/media/${index}.bin`, 50)),
      ),
  },
  {
    filename: 'overlapping.docx',
    outcome: 'refused',
    build: () =>
      docx(
        word(paragraph('a')),
        ...Array.from({ length: 200 }, (_, index) => ({
          ...word(paragraph('a')),
          name: `word/${index}.xml`,
          sharesWith: 1,
        })),
      ),
  },
  {
    filename: 'many-entries.docx',
    outcome: 'refused',
    build: () =>
      docx(
        word(paragraph('a')),
        ...Array.from({ length: 60_000 }, (_, index) => ({
          name: `e${index}`,
          data: Buffer.alloc(0),
          method: 0 as const,
          size: 0,
        })),
      ),
  },
  {
    filename: 'truncated.docx',
    outcome: 'refused',
    build: () => docx(word(paragraph('a'.repeat(5_000)))).subarray(0, 90),
  },
  {
    filename: 'corrupt.docx',
    outcome: 'refused',
    build: () => docx({ ...word(''), data: Buffer.alloc(500, 0xee) }),
  },
  {
    filename: 'locked-entry.docx',
    outcome: 'refused',
    build: () => docx({ ...word(paragraph('a')), flags: 1 }),
  },
  {
    filename: 'unknown-method.docx',
    outcome: 'refused',
    build: () => docx({ ...word(paragraph('a')), method: 99 as 8 }),
  },
  {
    filename: 'laughs.docx',
    outcome: 'read',
    absent: 'haha',
    build: () => docx(word(paragraph('kept &j;'), LAUGHS)),
  },
  {
    filename: 'outside-entity.docx',
    outcome: 'read',
    absent: 'root:',
    build: (canary) =>
      docx(
        word(
          paragraph('kept &x; &y;'),
          `<!DOCTYPE d SYSTEM "${canary}/d.dtd" [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y SYSTEM "${canary}/y"><!ENTITY % z SYSTEM "${canary}/z">%z;]>`,
        ),
      ),
  },
  {
    filename: 'outside-parts.docx',
    outcome: 'read',
    build: (canary) =>
      docx(
        word(
          `${paragraph('kept')}<w:p><w:hyperlink r:id="r1"><w:r><w:t>link</w:t></w:r></w:hyperlink><w:r><w:drawing><a:blip r:link="r1"/></w:drawing></w:r></w:p>`,
        ),
        entry(
          'word/_rels/document.xml.rels',
          relation(`${canary}/image.png`, 'image', ' TargetMode="External"'),
        ),
        entry(
          'word/_rels/settings.xml.rels',
          relation(`${canary}/template.dotm`, 'attachedTemplate', ' TargetMode="External"'),
        ),
      ),
  },
  {
    filename: 'deep-tables.docx',
    outcome: 'refused',
    build: () => docx(word(`${'<w:tbl><w:tr><w:tc>'.repeat(300_000)}${paragraph('a')}`)),
  },
  {
    filename: 'climbing-names.docx',
    outcome: 'read',
    build: () =>
      docx(
        word(paragraph('kept')),
        entry('../../../escaped.txt', 'evil'),
        entry('/tmp/escaped.txt', 'evil'),
        entry(String.raw`..\..\escaped.txt`, 'evil'),
      ),
  },
  {
    filename: 'one-huge-attribute.docx',
    outcome: 'any',
    build: () =>
      docx(
        swollenEntry('word/document.xml', 250, {
          head: '<w:document a="',
          chunk: 'abcdefghij klmnopq',
        }),
      ),
  },
  {
    filename: 'styles-in-a-circle.docx',
    outcome: 'read',
    build: () =>
      docx(
        word('<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:r><w:t>kept</w:t></w:r></w:p>'),
        entry(
          'word/styles.xml',
          '<w:styles><w:style w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>',
        ),
      ),
  },
  {
    filename: 'nested.zip',
    outcome: 'refused',
    build: () =>
      forgeArchive([
        { name: 'inner.zip', data: forgeArchive([swollenEntry('a', 500)]), method: 0, size: 1 },
      ]),
  },
  {
    filename: 'archive-within.docx',
    outcome: 'refused',
    build: () => forgeArchive([{ name: 'inner.docx', data: docx(word('')), method: 0, size: 1 }]),
  },
]

const sheets: PoisonedDocument[] = [
  {
    filename: 'sparse.xlsx',
    outcome: 'any',
    build: () =>
      xlsx(
        swollenEntry('xl/worksheets/one.xml', 18, {
          ...SHEET,
          chunk: Array.from(
            { length: 400 },
            (_, index) =>
              `<row r="${index * 7 + 1}"><c r="${['A', 'ZZ', 'NTP', 'XFD'][index % 4]}${index * 7 + 1}"><v>1</v></c></row>`,
          ).join(''),
        }),
      ),
  },
  {
    filename: 'scattered.xlsx',
    outcome: 'read',
    build: () =>
      xlsx(
        sheet(
          Array.from(
            { length: 20_000 },
            (_, index) =>
              `<row r="${index * 50 + 1}"><c r="${'ABCDEFGHIJKLM'[index % 13]}${'XYZW'[index % 4]}${index * 50 + 1}"><v>${index}</v></c></row>`,
          ).join(''),
        ),
      ),
  },
  {
    filename: 'declared-huge.xlsx',
    outcome: 'read',
    build: () =>
      xlsx(
        sheet(
          '<dimension ref="A1:XFD1048576"/><row r="1048576"><c r="XFD1048576"><v>7</v></c></row>',
        ),
      ),
  },
  {
    filename: 'shared-texts.xlsx',
    outcome: 'refused',
    build: () =>
      xlsx(
        sheet(''),
        swollenEntry('xl/sharedStrings.xml', 200, {
          head: '<sst>',
          chunk: '<si><t>some words that are shared</t></si>',
          tail: '</sst>',
        }),
      ),
  },
  {
    filename: 'one-huge-cell.xlsx',
    outcome: 'any',
    build: () =>
      xlsx(
        swollenEntry('xl/worksheets/one.xml', 250, {
          head: '<worksheet><row><c t="str"><v>',
          chunk: 'long words of a cell ',
        }),
      ),
  },
  {
    filename: 'outside-sheet.xlsx',
    outcome: 'any',
    build: (canary) =>
      forgeArchive([
        entry('xl/workbook.xml', '<workbook><sheet name="One" r:id="r1"/></workbook>'),
        entry(
          'xl/_rels/workbook.xml.rels',
          relation(`${canary}/sheet.xml`, 'worksheet', ' TargetMode="External"'),
        ),
        entry('xl/worksheets/one.xml', ''),
      ]),
  },
  {
    filename: 'repeated.ods',
    outcome: 'refused',
    build: () =>
      forgeArchive([
        open(
          `<office:spreadsheet><table:table table:name="T">${'<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>xxxxxxxxxx</text:p></table:table-cell></table:table-row>'.repeat(30)}</table:table></office:spreadsheet>`,
        ),
      ]),
  },
]

const others: PoisonedDocument[] = [
  {
    filename: 'deep-lists.odt',
    outcome: 'refused',
    build: () =>
      forgeArchive([
        open(
          `<office:text>${'<text:list><text:list-item>'.repeat(200_000)}<text:p>a</text:p></office:text>`,
        ),
      ]),
  },
  {
    filename: 'many-blanks.odt',
    outcome: 'read',
    build: () =>
      forgeArchive([
        open(
          `<office:text><text:p>kept${'<text:s text:c="2000000000"/>'.repeat(500)}</text:p></office:text>`,
        ),
      ]),
  },
  {
    filename: 'locked.odt',
    outcome: 'refused',
    build: () =>
      forgeArchive([
        open(''),
        entry(
          'META-INF/manifest.xml',
          '<manifest:manifest><manifest:encryption-data/></manifest:manifest>',
        ),
      ]),
  },
  {
    filename: 'many-slides.pptx',
    outcome: 'any',
    build: () =>
      forgeArchive([
        entry(
          'ppt/presentation.xml',
          `<p:presentation>${'<p:sldId id="2" r:id="r1"/>'.repeat(100_000)}</p:presentation>`,
        ),
        entry('ppt/_rels/presentation.xml.rels', relation('slides/one.xml', 'slide')),
        entry('ppt/slides/one.xml', '<p:sld><p:sp><a:p><a:t>again</a:t></a:p></p:sp></p:sld>'),
      ]),
  },
  {
    filename: 'notes-of-itself.pptx',
    outcome: 'read',
    build: () =>
      forgeArchive([
        entry(
          'ppt/presentation.xml',
          '<p:presentation><p:sldId id="2" r:id="r1"/></p:presentation>',
        ),
        entry('ppt/_rels/presentation.xml.rels', relation('slides/one.xml', 'slide')),
        entry('ppt/slides/_rels/one.xml.rels', relation('one.xml', 'notesSlide')),
        entry('ppt/slides/one.xml', '<p:sld><p:sp><a:p><a:t>kept</a:t></a:p></p:sp></p:sld>'),
      ]),
  },
  {
    filename: 'same-chapter.epub',
    outcome: 'any',
    build: () =>
      forgeArchive([
        entry('META-INF/container.xml', '<container><rootfile full-path="book.opf"/></container>'),
        entry(
          'book.opf',
          `<package><manifest><item id="a" href="a.xhtml"/></manifest><spine>${'<itemref idref="a"/>'.repeat(20_000)}</spine></package>`,
        ),
        entry(
          'a.xhtml',
          `<html><body>${'<p>the same words again</p>'.repeat(60_000)}</body></html>`,
        ),
      ]),
  },
  {
    filename: 'locked.epub',
    outcome: 'refused',
    build: () =>
      forgeArchive([
        entry('META-INF/container.xml', '<container><rootfile full-path="book.opf"/></container>'),
        entry(
          'META-INF/encryption.xml',
          '<encryption><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></encryption>',
        ),
        entry('book.opf', '<package/>'),
      ]),
  },
]

export const poisonedOfficeDocuments: readonly PoisonedDocument[] = [...words, ...sheets, ...others]
