// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import { loadMarkdown, Markdown } from './markdown.tsx'

afterEach(() => {
  cleanup()
  vi.doUnmock('./markdown-blocks.tsx')
})

it('a parser that could not be fetched leaves the text plain and raises nothing; the next text fetches it again', async () => {
  vi.doMock('./markdown-blocks.tsx', () => {
    throw new Error('Unable to preload CSS for /assets/mention-chip.css')
  })
  await loadMarkdown()
  const { unmount } = render(<Markdown text="**bold**" />)
  expect(screen.getByText('**bold**')).toBeTruthy()
  await loadMarkdown()
  unmount()
  vi.doUnmock('./markdown-blocks.tsx')
  render(<Markdown text="**bold**" />)
  await loadMarkdown()
  expect(
    (await screen.findByText('bold')).closest('strong, [data-streamdown="strong"]'),
  ).toBeTruthy()
})
