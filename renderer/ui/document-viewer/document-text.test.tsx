// @vitest-environment jsdom
import '../../testing/browser-features.ts'
import '../../lib/i18n.ts'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { FileText } from '#contract/files.ts'
import { DocumentText } from './document-text.tsx'

afterEach(cleanup)

const file = {
  content: 'Flour is bought on Mondays.\nHolidays are thirty days.',
  format: 'text',
  pages: [],
  notices: [],
} as unknown as FileText
const place = { text: 'Holidays are thirty days.', start: 28, end: 53 }

test('a marked passage says on which page it is, if that is known', () => {
  Element.prototype.scrollIntoView = () => undefined
  const { container, rerender } = render(<DocumentText file={file} place={{ ...place, page: 4 }} />)
  expect(screen.getByText('Page 4').closest('mark')?.textContent).toContain('thirty days')
  rerender(<DocumentText file={file} place={{ ...place, page: null }} />)
  expect(container.querySelector('mark')?.textContent).toBe('Holidays are thirty days.')
})

test('a passage of a document that was given whole finds its page by its position', () => {
  Element.prototype.scrollIntoView = () => undefined
  const pages = [
    { number: 1, label: null, start: 0, end: 28 },
    { number: 2, label: null, start: 28, end: 53 },
  ]
  render(<DocumentText file={{ ...file, pages }} place={{ ...place, page: null }} />)
  expect(screen.getByText('Page 2').closest('mark')).toBeTruthy()
})
