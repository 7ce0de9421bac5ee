import { expect, it } from 'vitest'
import { kindOf } from './artifact-kind.ts'
import {
  type ArtifactEdit,
  type ArtifactSource,
  collectArtifacts,
  findBlock,
  readEdits,
  withEdits,
} from './collect-artifacts.ts'
import { scanFences } from './scan-fences.ts'

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``

const answer = (messageId: string, text: string, rest: Partial<ArtifactSource> = {}) => ({
  messageId,
  text,
  isGrowing: false,
  edits: [],
  ...rest,
})

const edit = (id: string, block: number, source: string): ArtifactEdit => ({
  id,
  block,
  source,
  timestamp: 1,
})

const page = (title: string, body: string): string =>
  `<!doctype html>\n<html>\n<head><title>${title}</title></head>\n<body>\n${body}\n</body>\n</html>`

it('finds fences with their language, words and places, also in lists and while they grow', () => {
  const text = `Hello\n\n~~~html title="A b"\n<p>\`\`\`</p>\n~~~\n\n- \`\`\`js\n  one\n    two\n  \`\`\`\n\n\`\`\`\`svg\n<svg`
  const found = scanFences(text)
  expect(
    found.map(({ language, info, code, isClosed }) => [language, info, code, isClosed]),
  ).toEqual([
    ['html', 'title="A b"', '<p>```</p>', true],
    ['js', '', 'one\n  two', true],
    ['svg', '', '<svg', false],
  ])
  for (const { start, end, code } of [found[0]!, found[2]!])
    expect(text.slice(start, end)).toBe(code)
  expect(scanFences('`` `x` ``\n```a`b\n')).toEqual([])
  expect(scanFences('```html\n```')[0]).toMatchObject({ code: '', isClosed: true })
})

it('tells kinds apart', () => {
  expect(kindOf('html', '<p>x</p>')).toBe('html')
  expect(kindOf('html', '<svg viewBox="0 0 1 1"/>')).toBe('svg')
  expect(kindOf('xml', '<?xml version="1.0"?>\n<svg/>')).toBe('svg')
  expect(kindOf('xml', '<note/>')).toBeNull()
  expect(kindOf('tsx', 'export default () => <p/>')).toBe('react')
  expect(kindOf('js', "import { useState } from 'react'\nexport default () => <p/>")).toBe('react')
  expect(kindOf('js', 'const one = 1')).toBeNull()
  expect(kindOf('python', 'x = 1\n'.repeat(20))).toBe('code')
  expect(kindOf('', 'x\n'.repeat(20))).toBeNull()
})

it('a newer form of the same thing is a version, another thing is another artifact', () => {
  const sources = [
    answer('a', `First\n${fence('html', page('Clock', '<p>10:00</p>'))}`),
    answer(
      'b',
      `${fence('html', page('Map', '<canvas id="map"></canvas>\n<script>drawMap()</script>'))}`,
    ),
    answer(
      'c',
      `${fence('html', page('Clock', '<p>11:00</p>'))}\n${fence('svg', '<svg><title>Logo</title></svg>')}`,
    ),
  ]
  const found = collectArtifacts(sources)
  expect(
    found.map(({ name, kind, versions }) => [name, kind, versions.map(({ id }) => id)]),
  ).toEqual([
    ['Clock', 'html', ['a:0', 'c:0']],
    ['Map', 'html', ['b:0']],
    ['Logo', 'svg', ['c:1']],
  ])
})

it('without a name, what shares lines with an earlier one is a newer form of it', () => {
  const lines = Array.from({ length: 14 }, (_, index) => `value_${index} = compute(${index})`)
  const changed = lines.with(3, 'value_3 = other(3)').concat('print(value_13)')
  const other = Array.from({ length: 14 }, (_, index) => `print("line ${index}")`)
  const found = collectArtifacts([
    answer('a', fence('python', lines.join('\n'))),
    answer('b', fence('python', other.join('\n'))),
    answer('c', fence('python', changed.join('\n'))),
  ])
  expect(found.map(({ versions }) => versions.map(({ id }) => id))).toEqual([
    ['a:0', 'c:0'],
    ['b:0'],
  ])
})

it('two of a kind in one answer are two artifacts', () => {
  const text = `${fence('html', page('One', '<p>x</p>'))}\n${fence('html', page('One', '<p>x</p>'))}`
  expect(collectArtifacts([answer('a', text)])).toHaveLength(2)
})

it('edits are versions behind the one they were made of, and a growing source is open', () => {
  const text = `${fence('html', page('Clock', '<p>1</p>'))}`
  const sources = [
    answer('a', text, { edits: [edit('e1', 0, page('Clock', '<p>mine</p>')), edit('e2', 7, 'x')] }),
    answer('b', '```html\n<!doctype html>\n<html>\n<head><title>Clock</title></head>', {
      isGrowing: true,
    }),
  ]
  const [clock] = collectArtifacts(sources)
  expect(clock!.versions.map(({ id, isEdit, isClosed }) => [id, isEdit, isClosed])).toEqual([
    ['a:0', false, true],
    ['e1', true, true],
    ['b:0', false, false],
  ])
})

it('reads only what is an edit', () => {
  const good = edit('e', 0, 'x')
  expect(readEdits([good, null, 'x', { id: 1 }, { ...good, block: 0.5 }])).toEqual([good])
  expect(readEdits('x')).toEqual([])
})

it('finds the place of a piece, and puts the newest edit into the text a model reads', () => {
  const text = `a\n${fence('js', 'one')}\nb\n${fence('js', 'two')}\nc`
  expect(findBlock(text, 'two')).toBe(1)
  expect(findBlock(text, 'three')).toBeNull()
  const edits = [edit('e1', 1, 'first'), edit('e2', 1, 'second\nline'), edit('e3', 0, 'ONE')]
  expect(withEdits(text, edits)).toBe(
    `a\n${fence('js', 'ONE')}\nb\n${fence('js', 'second\nline')}\nc`,
  )
  expect(withEdits(fence('js', ''), [edit('e', 0, 'x')])).toContain('x')
})
