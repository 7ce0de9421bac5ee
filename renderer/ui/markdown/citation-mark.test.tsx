// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import { TooltipProvider } from '../floating/tooltip.tsx'
import { CitationContext } from './citation-mark.tsx'
import { loadMarkdown, Markdown } from './markdown.tsx'

beforeAll(loadMarkdown)
afterEach(cleanup)

const open = vi.fn()
const source = { name: 'Lease.pdf', place: 'page 3', quote: 'The notice is three months.' }

function show(text: string, count = 3): HTMLElement {
  const { container } = render(
    <TooltipProvider>
      <CitationContext value={{ sources: Array.from({ length: count }, () => source), open }}>
        <Markdown text={text} />
      </CitationContext>
    </TooltipProvider>,
  )
  return container
}

const numbers = (): string[] =>
  screen.queryAllByRole('button', { name: /^Source/ }).map(({ textContent }) => textContent)

it.each([
  ['Three months [1].', ['1']],
  ['Both say so [1, 3].', ['1', '3']],
  ['Both say so [1][2].', ['1', '2']],
  ['- in a list [2]\n- **bold [1]**', ['2', '1']],
])('%s', (text, expected) => {
  show(text)
  expect(numbers()).toEqual(expected)
})

it.each([
  ['`items[1]`'],
  ['take items[1] of it'],
  ['```\n[1]\n```'],
  ['[1](https://example.org)'],
  ['[0]'],
  ['[0, 1]'],
  ['[^1]'],
])('no source is meant by %s', (text) => {
  show(text)
  expect(numbers()).toEqual([])
})

it('a number of no source says so beside those that have one', () => {
  show('Three months [1, 9]. Four weeks [4].')
  expect(numbers()).toEqual(['1'])
  expect(
    screen.getAllByRole('button', { name: /was given none/ }).map(({ textContent }) => textContent),
  ).toEqual(['9', '4'])
})

it('a number follows its word without a space of its own, so that it stays on its line', () => {
  expect(show('Three months [1].').textContent).toBe('Three months1.')
})

it('without sources the text stays as it is', () => {
  const { container } = render(<Markdown text="Three months [1]." />)
  expect(container.textContent).toBe('Three months [1].')
})

it('a press opens the source', () => {
  show('Three months [2].')
  fireEvent.click(screen.getByRole('button', { name: 'Source 2: Lease.pdf' }))
  expect(open).toHaveBeenCalledWith(1, 'Three months')
})

it('tells what it is the source of: the sentence before it, or its row', () => {
  show('The rent is due every month [1]. The oven stays in the house [2][3].')
  fireEvent.click(screen.getByRole('button', { name: 'Source 3: Lease.pdf' }))
  expect(open).toHaveBeenLastCalledWith(2, 'The oven stays in the house')
  cleanup()
  show('| Item | Sum |\n|---|---|\n| Flour for bread | 20 [1] |')
  fireEvent.click(screen.getByRole('button', { name: 'Source 1: Lease.pdf' }))
  expect(open).toHaveBeenLastCalledWith(0, expect.stringMatching(/Flour for bread\s*20/))
})
