import { describe, expect, it } from 'vitest'
import { hostilePayloads } from '../markdown/hostile-payloads.ts'
import { readTable } from './read-table.ts'

const PANDAS = `<div>
<style scoped>
    .dataframe tbody tr th { vertical-align: top; }
</style>
<table border="1" class="dataframe">
  <thead>
    <tr style="text-align: right;">
      <th></th>
      <th>town</th>
      <th>share</th>
    </tr>
  </thead>
  <tbody>
    <tr>
      <th>0</th>
      <td>K&ouml;ln &amp; &lt;B&gt; &#8211;</td>
      <td>0.25</td>
    </tr>
  </tbody>
</table>
<p>1 rows × 2 columns</p>
</div>`

const texts = (html: string) => readTable(html)?.rows.map((row) => row.map(({ text }) => text))

describe('a table that pandas wrote', () => {
  it('is read as text in rows, without its style and what stands around it', () => {
    expect(texts(PANDAS)).toEqual([
      ['', 'town', 'share'],
      ['0', 'K&ouml;ln & <B> –', '0.25'],
    ])
    expect(readTable(PANDAS)?.rows[1]?.map(({ isHead }) => isHead)).toEqual([true, false, false])
  })

  it('keeps an entity nobody knows as it is written', () => {
    expect(texts('<table><tr><td>&valueOf;</td></tr></table>')).toEqual([['&valueOf;']])
  })

  it('keeps the width of heads that span columns', () => {
    expect(readTable('<table><tr><th colspan="2">a</th></tr><tr><td>1<td>2</table>')?.rows).toEqual(
      [
        [{ text: 'a', isHead: true, span: 2 }],
        [
          { text: '1', isHead: false, span: 1 },
          { text: '2', isHead: false, span: 1 },
        ],
      ],
    )
  })

  it('is cut, and says so, where it is longer or wider than can be looked at', () => {
    const long = readTable(`<table>${'<tr><td>x</td></tr>'.repeat(500)}</table>`)
    const wide = readTable(`<table><tr>${'<td>x</td>'.repeat(100)}</tr></table>`)
    expect([long?.rows.length, long?.isCut, wide?.rows[0]?.length, wide?.isCut]).toEqual([
      200,
      true,
      60,
      true,
    ])
  })
})

describe('HTML of any kind', () => {
  it('without a table is none', () => {
    expect([
      readTable(''),
      readTable('<b>x</b>'),
      readTable('<table></table>'),
      readTable('<table><tr>'),
      readTable('<'),
    ]).toEqual(Array(5).fill(null))
  })

  it('is only ever text in cells', () => {
    for (const payload of hostilePayloads) {
      const table = readTable(`<table><tr><td>${payload}</td></tr></table>`)
      for (const { text } of table?.rows.flat() ?? []) expect(typeof text).toBe('string')
    }
  })

  it('is read in one go, however odd', () => {
    // Rescanning the rest for each piece would exceed the test's time limit.
    for (const piece of ['<a', '<td ', '<td "', '&#', '<!--', '<td>', '</']) {
      const table = readTable(`<table><tr><td>${piece.repeat(Math.floor(200_000 / piece.length))}`)
      expect(table?.rows).toHaveLength(1)
    }
  })
})
