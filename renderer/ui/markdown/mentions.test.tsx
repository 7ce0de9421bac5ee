// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import '../../lib/i18n.ts'
import { loadMarkdown, Markdown } from './markdown.tsx'
import { MentionContext } from './mention-chip.tsx'

beforeAll(() => loadMarkdown())
afterEach(cleanup)

const draw = (text: string): HTMLElement =>
  render(
    <MentionContext value={{ userId: 'u1' }}>
      <Markdown text={text} />
    </MentionContext>,
  ).container

const chips = (box: HTMLElement): (string | null)[] =>
  [...box.querySelectorAll('.mention')].map(({ textContent }) => textContent)

it('people, models and channels that are mentioned are drawn by their names', () => {
  const box = draw(
    'Hello <@U:u2|Ada Lovelace>, ask <@M:maker/model:8b|Aurora> in <#C:c1|support>, <@U:u9>!',
  )
  expect(chips(box)).toEqual(['@Ada Lovelace', '@Aurora', '#support', '@u9'])
  expect(box.querySelector('a')?.getAttribute('href')).toBe('/channels/c1')
  expect(box.textContent).toBe('Hello @Ada Lovelace, ask @Aurora in #support, @u9!')
})

it('a mention of the reader stands out', () => {
  const box = draw('<@U:u1|Me> and <@U:u2|you>')
  expect([...box.querySelectorAll('.mention-own')].map(({ textContent }) => textContent)).toEqual([
    '@Me',
  ])
})

it('a name is no markdown, no address and no HTML', () => {
  const box = draw('<@U:u2|*x* ada@example.org https://example.org `y`> **bold <@U:u3|in it>**')
  expect(chips(box)).toEqual(['@*x* ada@example.org https://example.org `y`', '@in it'])
  expect(box.querySelectorAll('a, code')).toHaveLength(0)
})

it('what only looks like a mention stays text, and in code it is code', () => {
  for (const text of ['<@X:u2|x>', '<@U:>', '<@U:u2|x', '<@U:u 2|x>']) {
    expect(chips(draw(text)), text).toEqual([])
    cleanup()
  }
  const box = draw('`<@U:u2|x>`\n\n```text\n<@U:u2|y>\n```')
  expect(chips(box)).toEqual([])
  expect(box.textContent).toContain('<@U:u2|x>')
})

it('where nobody can be mentioned a channel is no link', () => {
  const { container } = render(<Markdown text="see <#C:c1|support>" />)
  expect(container.querySelector('a')).toBeNull()
  expect(container.textContent).toBe('see #support')
})
