// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { hostilePayloads } from './hostile-payloads.ts'
import { loadStaticMarkdown, StaticMarkdown } from './static-markdown.tsx'

beforeAll(loadStaticMarkdown)
afterEach(cleanup)

test('text for paper and files is drawn at once, with formulas browsers draw themselves', () => {
  const { container } = render(
    <StaticMarkdown text={'# Roses\n\n**Water** $$Q = m$$\n\n```ts\nlet a\n```\n\n- [x] done'} />,
  )
  expect(container.querySelector('h1')?.textContent).toBe('Roses')
  expect(container.querySelector('math')).not.toBeNull()
  expect(container.querySelector('.code-block code')?.textContent).toBe('let a')
  expect(container.querySelector('button')).toBeNull()
})

test('what is no formula stays as it was written', () => {
  const { container } = render(<StaticMarkdown text={'$$\\frac{$$'} />)
  expect(container.textContent).toContain('\\frac{')
})

test('nothing in it loads, runs or leads anywhere but to an address one can see', () => {
  for (const payload of hostilePayloads) {
    const { container } = render(<StaticMarkdown text={payload} />)
    expect(
      container.querySelector(
        'script, iframe, img, object, embed, form, style, link, svg script, [onerror], [onload]',
      ),
    ).toBeNull()
    for (const link of container.querySelectorAll('a'))
      expect(link.protocol).toMatch(/^(https?|mailto):$/)
    cleanup()
  }
})
