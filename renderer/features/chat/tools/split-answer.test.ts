import { expect, it } from 'vitest'
import { embedsOf, splitAnswer } from './split-answer.ts'

const block = (name: string, attributes = '', summary = 'Tool used'): string =>
  `<details type="tool_calls" done="true" id="1" name="${name}" arguments="{&quot;city&quot;:&quot;Oslo&quot;}" result="4 &lt; 5&#10;rain"${attributes}>\n<summary>${summary}</summary>\n</details>\n`

const call = {
  id: '1',
  name: 'weather',
  arguments: '{"city":"Oslo"}',
  result: '4 < 5\nrain',
  isFailed: false,
  embeds: [],
}

/** Tool calls as the reference system and this gateway write them. */
const reference = (name: string, embeds = '&quot;&quot;'): string =>
  `<details type="tool_calls" done="true" id="1" name="${name}" arguments="&quot;{\\&quot;city\\&quot;:\\&quot;Oslo\\&quot;}&quot;" files="" embeds="${embeds}">\n<summary>Tool Executed</summary>\n&quot;4 &lt; 5\\nrain&quot;\n</details>\n`

it('calls are read with the result in the body too, as text of JSON or as something else', () => {
  const [older, newer] = [block('weather'), reference('weather')]
  expect(splitAnswer(older + newer)).toEqual([{ kind: 'calls', calls: [call, call] }])
  const other = newer.replace('&quot;4 &lt; 5\\nrain&quot;', '{&quot;degrees&quot;:4}')
  expect(splitAnswer(other)).toEqual([
    { kind: 'calls', calls: [{ ...call, result: '{"degrees":4}' }] },
  ])
  expect(embedsOf(splitAnswer(reference('map', '[&quot;https://maps.test/1&quot;]')))).toEqual([
    'https://maps.test/1',
  ])
})

it('text without calls stays one piece', () => {
  expect(splitAnswer('It rains. <details>no</details>')).toEqual([
    { kind: 'text', text: 'It rains. <details>no</details>' },
  ])
})

it('calls are taken out of the text in their order, those next to each other together', () => {
  const text = `Let me look.\n${block('weather')}\n${block('clock', '', 'Tool failed')}It rains.`
  expect(splitAnswer(text)).toEqual([
    { kind: 'text', text: 'Let me look.\n' },
    { kind: 'calls', calls: [call, { ...call, name: 'clock', isFailed: true }] },
    { kind: 'text', text: 'It rains.' },
  ])
})

it('a block that is still being written is not shown half', () => {
  expect(splitAnswer(`Look.\n${block('weather')}more <details type="tool_calls" done="tr`)).toEqual(
    [
      { kind: 'text', text: 'Look.\n' },
      { kind: 'calls', calls: [call] },
      { kind: 'text', text: 'more ' },
    ],
  )
})

it('a long text full of beginnings is read quickly', () => {
  expect(splitAnswer('<details type="tool_calls" a="'.repeat(20_000))).toEqual([])
})

it.each([
  [
    ' embeds="[&quot;&lt;h1&gt;Map&lt;/h1&gt;&quot;,&quot;https://maps.test/1&quot;]"',
    ['<h1>Map</h1>', 'https://maps.test/1'],
  ],
  [' embeds="[7,null]"', []],
  [' embeds="{}"', []],
  [' embeds="[&quot;"', []],
  ['', []],
])('what a tool gave to be looked at is taken along; %s', (attribute, embeds) => {
  expect(embedsOf(splitAnswer(`${block('map', attribute)}There.`))).toEqual(embeds)
})
