import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import iconv from 'iconv-lite'
import { afterAll, describe, expect, test } from 'vitest'
import { forgeArchive, entry } from '../../testing/poisoned-documents/build-archive.ts'
import { buildPdf } from '../../testing/poisoned-documents/pdf-documents.ts'
import { Extraction } from './index.ts'

const fixtures = path.join(import.meta.dirname, 'fixtures')
const folder = mkdtempSync(path.join(tmpdir(), 'extraction-'))
const extraction = new Extraction({ timeLimit: () => 30_000 })
const going = () => ({ signal: new AbortController().signal })

afterAll(async () => {
  await extraction.close()
  rmSync(folder, { recursive: true, force: true })
})

function store(filename: string, content: string | Buffer): string {
  const file = path.join(folder, filename)
  writeFileSync(file, content)
  return file
}

const readFixture = async (filename: string) =>
  await extraction.extract(
    { path: path.join(fixtures, filename), filename, contentType: null },
    going(),
  )

const read = async (filename: string, content: string | Buffer, by: Extraction = extraction) =>
  await by.extract({ path: store(filename, content), filename, contentType: null }, going())

const TABLE =
  '| Month | Ships | Tonnes |\n| --- | --- | --- |\n| January | 310 | 18,200 |\n| February | 287 | 16,950 |'
const PORTS =
  '| Port | Ships | Opened | Open at night |\n| --- | --- | --- | --- |\n| Lindesund | 4120 | 1998-05-17 | TRUE |\n| Åkervik, north | 312 | 2004-11-02 | FALSE |'

describe('documents of an office', () => {
  test.each(['report.docx', 'report.odt', 'report.rtf', 'report.epub'])(
    '%s gives its text in every script and its table',
    async (filename) => {
      const { text, format, title } = await readFixture(filename)
      expect({ format, title }).toEqual({
        format: 'markdown',
        title: 'Yearly report of the harbour',
      })
      expect(text).toContain(TABLE)
      expect(text).toContain('Гавань открыта круглый год, зимой работает ледокол.')
      expect(text).toContain('港は一年中開いています。冬は砕氷船が働きます。')
      expect(text).toContain('الميناء مفتوح طوال العام.')
    },
  )

  test.each(['report.docx', 'report.odt', 'report.rtf'])(
    '%s keeps its headings',
    async (filename) => {
      const { text } = await readFixture(filename)
      expect(text).toMatch(/^# Harbour report 2025\n\n[^#]+\n\n## Ships by month\n/)
      expect(text).toContain('\n### Rules for visitors\n')
    },
  )

  test('lists count and links keep their address', async () => {
    const { text } = await readFixture('report.docx')
    expect(text).toContain(
      '1. Report on channel 12 before entering.\n2. Keep below five knots.\n- Dogs on a lead',
    )
    expect(text).toContain('[page of rules](https://harbour.example/rules)')
  })

  test.each(['table.xlsx', 'table.ods'])(
    'the sheets of %s are pages with a table each, dates readable',
    async (filename) => {
      const { text, format, pages } = await readFixture(filename)
      expect(format).toBe('table')
      expect(text).toContain(PORTS)
      expect(pages).toEqual([{ number: 1, label: 'table', start: 0, end: text.length }])
    },
  )

  test.each(['slides.pptx', 'slides.odp'])(
    'the slides of %s are pages with their notes',
    async (filename) => {
      const { text, pages } = await readFixture(filename)
      expect(pages.map(({ number, label }) => ({ number, label }))).toEqual([
        { number: 1, label: 'Slide 1' },
        { number: 2, label: 'Slide 2' },
      ])
      const [first, second] = pages.map(({ start, end }) => text.slice(start, end).trim())
      expect(first).toBe(
        'Plan of the new pier\n\n- Length 240 metres\n- Начало работ в мае\n\nNotes: Mention the cost of the crane here.',
      )
      expect(second).toBe('費用 Costs\n\nTwo million in the first year.')
    },
  )

  test('titles of slides are headings, and footnotes and deleted text of Word are told apart', async () => {
    const slide =
      '<p:sld><p:sp><p:ph type="title"/><a:p><a:t>Aims</a:t></a:p></p:sp><p:sp><p:ph type="sldNum"/><a:p><a:t>9</a:t></a:p></p:sp></p:sld>'
    const relations =
      '<Relationships><Relationship Id="r1" Type="x/slide" Target="slides/a.xml"/></Relationships>'
    const presentation = forgeArchive([
      entry('ppt/presentation.xml', '<p><p:sldId id="256" r:id="r1"/></p>'),
      entry('ppt/_rels/presentation.xml.rels', relations),
      entry('ppt/slides/a.xml', slide),
    ])
    expect((await read('a.pptx', presentation)).text).toBe('## Aims')
    const word = forgeArchive([
      entry(
        'word/document.xml',
        '<w:document><w:p><w:r><w:t>Kept</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:footnoteReference w:id="2"/></w:r></w:p></w:document>',
      ),
      entry(
        'word/footnotes.xml',
        '<w:footnotes><w:footnote w:id="2"><w:p><w:r><w:t>A remark</w:t></w:r></w:p></w:footnote></w:footnotes>',
      ),
    ])
    expect((await read('a.docx', word)).text).toBe('Kept[^2]\n\n[^2]: A remark')
  })

  test.each([
    ['report.doc', 'This is an old Word file. Open it in a word processor and save it as .docx.'],
    [
      'table.xls',
      'This is an old Excel file. Open it in a spreadsheet program and save it as .xlsx.',
    ],
    [
      'protected.pdf',
      'The PDF is protected by a password. Remove the protection and add it again.',
    ],
  ])('%s is refused in words', async (filename, message) => {
    await expect(readFixture(filename)).rejects.toMatchObject({ status: 422, message })
  })
})

describe('PDF', () => {
  test('pages are told apart and tables keep their columns', async () => {
    const { text, pages, title, notices } = await readFixture('report.pdf')
    expect(text).toContain(TABLE)
    expect(text).toContain('Гавань открыта круглый год')
    expect(pages.map(({ start, end }) => text.slice(start, end).trim().split('\n')[0])).toEqual([
      'Harbour report 2025',
      'The second page tells about the new pier.',
    ])
    expect({ title, notices }).toEqual({ title: 'Yearly report of the harbour', notices: [] })
  })
})

describe('pages without text', () => {
  const page = (contents: string): { dictionary: string } => ({
    dictionary: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F 6 0 R >> >> ${contents} >>`,
  })
  const build = (second: string): Buffer =>
    buildPdf([
      { dictionary: '<< /Type /Catalog /Pages 2 0 R /PageLabels << /Nums [0 << /S /r >>] >> >>' },
      { dictionary: '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>' },
      page(''),
      page(second),
      {
        dictionary: '<< /Length 44 >>',
        stream: Buffer.from('BT /F 12 Tf 50 700 Td (Words of a page) Tj ET'),
      },
      { dictionary: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>' },
    ])

  test('are counted for the person, and pages have the names printed on them', async () => {
    const { text, pages, notices } = await read('half.pdf', build('/Contents 5 0 R'))
    expect(text.trim()).toBe('Words of a page')
    expect(pages.map(({ label }) => label)).toEqual(['i', 'ii'])
    expect(notices).toEqual([
      '1 of 2 pages are pictures or empty, so nothing in them can be found.',
    ])
  })

  test('a PDF of pictures says what to do', async () => {
    const { notices } = await read('scanned.pdf', build(''))
    expect(notices).toEqual([expect.stringContaining('Run text recognition')])
  })
})

describe('text', () => {
  const RUSSIAN =
    'Съешь же ещё этих мягких французских булок, да выпей чаю. Гавань открыта круглый год.\n'
  const JAPANESE = '港は一年中開いています。冬は砕氷船が働きます。船は四千隻を数えました。\n'
  const CHINESE = '港口全年开放，冬季有破冰船工作。去年共有四千艘船只进港。\n'
  const POLISH =
    'Zażółć gęślą jaźń. Port jest otwarty przez cały rok, zimą pracuje lodołamacz. Łódź płynie wśród źdźbeł.\n'
  const FRENCH =
    'Le port est ouvert toute l’année ; en été, les bateaux de pêche ne sont pas comptés. Ça coûte 5 €.\n'
  test.each([
    ['utf-8', JAPANESE, false],
    ['utf-8', FRENCH, true],
    ['utf-16le', RUSSIAN + 'a b c 1 2 3\n', true],
    ['utf-16be', JAPANESE, true],
    ['utf-16le', 'Plain words without a mark, 1 2 3.\n', false],
    ['windows-1251', RUSSIAN, false],
    ['windows-1252', FRENCH, false],
    ['windows-1250', POLISH, false],
    ['iso-8859-2', POLISH, false],
    ['shift_jis', JAPANESE, false],
    ['gb18030', CHINESE, false],
  ])('%s is recognised: %s', async (encoding, sentence, addBOM) => {
    const written = sentence.repeat(5)
    const { text } = await read('letter.txt', iconv.encode(written, encoding, { addBOM }))
    expect(text).toBe(written)
  })

  test('line ends, control characters, composed letters and half characters are made good', async () => {
    const { text } = await read(
      'mixed.txt',
      iconv.encode('one\r\ntwo\rthree\u0007 e\u0301\ud800 end\f', 'utf-16le', { addBOM: true }),
    )
    expect(text).toBe('one\ntwo\nthree é\ufffd end\n')
  })

  test('code knows its language', async () => {
    expect(await read('main.rs', 'fn main() {}\n')).toMatchObject({
      format: 'code',
      language: 'rust',
      text: 'fn main() {}\n',
    })
  })

  test('separated values become one table, whatever separates and quotes them', async () => {
    const { text, format } = await read('a.csv', 'name;note\n"Å ""b""";"x | y\nz"\n\nlast;1\n')
    expect(format).toBe('table')
    expect(text).toBe('| name | note |\n| --- | --- |\n| Å "b" | x \\| y z |\n| last | 1 |')
  })

  test('HTML loses its scripts and keeps lists, code and quotes', async () => {
    const html =
      '<title>T</title><script>bad()</script><h2>Head</h2><ul><li>a<ul><li>b</ul><li>c</ul><pre><code class="language-js">let a\n  b</code></pre><blockquote>said</blockquote><p style="display:none">hidden</p>'
    expect(await read('a.html', html)).toMatchObject({
      title: 'T',
      text: '## Head\n\n- a\n  - b\n- c\n\n```js\nlet a\n  b\n```\n\n> said',
    })
  })

  test('a mail has its people, text and the names of its attachments', async () => {
    const mail =
      'From: =?utf-8?B?w4VzYQ==?= <asa@x.example>\nTo: b@x.example\nSubject: Pier\nContent-Type: multipart/mixed; boundary=q\n\n--q\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nSee you at the caf=E9.\n--q\nContent-Type: image/png; name=plan.png\nContent-Disposition: attachment; filename=plan.png\n\nx\n--q--\n'
    const { text } = await read('a.eml', mail)
    expect(text).toBe(
      '# Pier\n\nFrom: Åsa <asa@x.example>\nTo: b@x.example\nAttachments: plan.png\n\nSee you at the café.',
    )
  })

  test('a notebook has texts, code and printed results', async () => {
    const notebook = {
      metadata: { language_info: { name: 'python' } },
      cells: [
        { cell_type: 'markdown', source: ['# Sum\n', 'of two'] },
        { cell_type: 'code', source: 'print(1+1)', outputs: [{ text: ['2\n'] }] },
      ],
    }
    expect((await read('a.ipynb', JSON.stringify(notebook))).text).toBe(
      '# Sum\nof two\n\n```python\nprint(1+1)\n```\n\n```\n2\n```',
    )
  })

  test('subtitles keep when something is said, without their markup', async () => {
    const { text } = await read(
      'a.vtt',
      'WEBVTT\n\nNOTE x\n\n1\n00:00:01.000 --> 00:00:02.000 line:0\n<v Ann><i>Hello</i>\nthere\n',
    )
    expect(text).toBe('[00:00:01] Ann: Hello there\n')
  })
})

describe('web pages', () => {
  test('the article is found, with full addresses and without the menu', async () => {
    const body =
      '<p>The pier was built in spring, and everybody in the town came to see it, even in the rain.</p>'.repeat(
        8,
      )
    const html = `<html><head><title>Pier</title></head><body><nav><a href="/a">Menu entry</a></nav><article><h1>Pier</h1>${body}<p>More in <a href="/news">the news</a>.</p></article></body></html>`
    const document = await extraction.extractPage({ html, url: 'https://x.example/one/' }, going())
    expect(document).toMatchObject({ title: 'Pier', format: 'markdown' })
    expect(document.text).toContain('[the news](https://x.example/news)')
    expect(document.text).not.toContain('Menu entry')
  })

  test('bytes are decoded by what the page declares', async () => {
    const html = iconv.encode('<meta charset="windows-1251"><p>Гавань</p>', 'windows-1251')
    expect((await extraction.extractPage({ html, url: 'https://x.example/' }, going())).text).toBe(
      'Гавань',
    )
  })

  test.each(['<div id="app"></div><script>x</script>', '', ' \n', '<!doctype html>', '<!-- x -->'])(
    'a page without text says so: %j',
    async (html) => {
      const page = { html, url: 'https://x.example/' }
      await expect(extraction.extractPage(page, going())).rejects.toMatchObject({
        status: 422,
        message: expect.stringContaining('no text') as string,
      })
    },
  )

  test('a text without any element is read as it is', async () => {
    const page = { html: 'Open from 9 to 5', url: 'https://x.example/' }
    expect((await extraction.extractPage(page, going())).text).toBe('Open from 9 to 5')
  })

  test('a page nested beyond reason is read without a tree', async () => {
    const html = `<p>kept</p>${'<div>'.repeat(20_000)}`
    expect((await extraction.extractPage({ html, url: 'https://x.example/' }, going())).text).toBe(
      'kept',
    )
  })
})

describe('workers', () => {
  const SLOW = `<p>${'<b><i>'.repeat(400_000)}`

  test('what takes too long is ended, and the next document is read', async () => {
    const impatient = new Extraction({ timeLimit: () => 300, workers: 1 })
    await expect(read('slow.html', SLOW, impatient)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('within') as string,
    })
    expect(
      (await read('quick.txt', 'kept', new Extraction({ timeLimit: () => 20_000 }))).text,
    ).toBe('kept')
    await impatient.close()
  })

  test('a stopped document frees its place at once', async () => {
    const single = new Extraction({ timeLimit: () => 30_000, workers: 1 })
    const stop = new AbortController()
    const slow = single.extract(
      { path: store('slow.html', SLOW), filename: 'slow.html', contentType: null },
      { signal: stop.signal },
    )
    const waiting = read('waiting.txt', 'kept', single)
    setTimeout(() => stop.abort(), 100)
    await expect(slow).rejects.toMatchObject({ status: 400 })
    expect((await waiting).text).toBe('kept')
    await single.close()
  })

  test('closing refuses what runs and what waits', async () => {
    const single = new Extraction({ timeLimit: () => 30_000, workers: 1 })
    const works = [read('slow.html', SLOW, single), read('later.txt', 'kept', single)]
    const settled = Promise.allSettled(works)
    await single.close()
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  test('progress is told in bytes', async () => {
    const told: (number | null)[][] = []
    const content = 'a line of text\n'.repeat(3_000_000)
    const source = { path: store('long.txt', content), filename: 'long.txt', contentType: null }
    const { text } = await extraction.extract(source, {
      ...going(),
      onProgress: (done, total) => void told.push([done, total]),
    })
    expect(text).toBe(content)
    expect(told.length).toBeGreaterThan(0)
    expect(told.every(([done, total]) => done! <= total! && total === content.length)).toBe(true)
  })
})

test('the bytes win over the name', async () => {
  const pdf = readFileSync(path.join(fixtures, 'report.pdf'))
  expect((await read('named-wrongly.docx', pdf)).pages).toHaveLength(2)
  expect(
    (await read('without-ending', readFileSync(path.join(fixtures, 'table.xlsx')))).format,
  ).toBe('table')
})

test.each(['__proto__', 'constructor', 'toString', 'x.constructor', 'x.__proto__', 'valueOf.rtf'])(
  'row 101: %s is a name like any other',
  async (filename) => {
    const content = filename.endsWith('.rtf') ? '{\\rtf1 \\constructor plain words}' : 'plain words'
    const { text, language } = await read(filename, content)
    expect(text.trim()).toBe('plain words')
    expect(language).toBeNull()
  },
)

test('pictures, sound and programs are not worth trying', () => {
  const names = ['a.png', 'b.mp3', 'c.exe', 'd.zip', 'e.pdf', 'f.ts', 'g.unknown', 'h']
  expect(names.filter((name) => extraction.canExtract(name, null))).toEqual([
    'e.pdf',
    'f.ts',
    'g.unknown',
    'h',
  ])
  expect(extraction.canExtract('blob', 'image/png')).toBe(false)
})
