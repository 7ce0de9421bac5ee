// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import '../../../lib/i18n.ts'
import { showsSkeleton, StatusLine } from './status-line.tsx'
import { answer, question } from '../testing-chat.ts'
import { leftOutFiles } from './left-out-files.ts'

afterEach(cleanup)

const growing = (fields: Parameters<typeof answer>[1] = {}) =>
  answer('a', { content: '', done: false, ...fields })
const searching = { description: 'Searching', done: false }

describe('rule 2: with empty content and a hidden or missing last status a skeleton is shown', () => {
  it.each([
    [growing(), true],
    [growing({ statusHistory: [searching] }), false],
    [growing({ statusHistory: [searching, { description: 'Quiet', hidden: true }] }), true],
    [growing({ content: 'Words', statusHistory: [{ hidden: true }] }), false],
    [growing({ reasoning_content: 'Hm' }), false],
  ])('case %#', (message, expected) => {
    expect(showsSkeleton(message)).toBe(expected)
  })
})

it('one line shows the current status', () => {
  render(<StatusLine message={growing({ statusHistory: [searching] })} />)
  expect(screen.getByText('Searching')).toBeTruthy()
})

it('a step named like a member of every object has the sign of any step', () => {
  const done = { action: 'constructor', description: 'Built', done: true }
  render(<StatusLine message={growing({ statusHistory: [done] })} />)
  expect(screen.getByText('Built')).toBeTruthy()
})

it('when all steps are done they fold into their number', () => {
  render(
    <StatusLine
      message={answer('a', {
        statusHistory: [
          { ...searching, done: true },
          { description: 'Found', done: true },
        ],
      })}
    />,
  )
  expect(screen.getByText('2 steps')).toBeTruthy()
  expect(screen.getAllByRole('listitem', { hidden: true })).toHaveLength(2)
})

it('rule 1: a status that never ends keeps its animation', () => {
  const { container } = render(<StatusLine message={answer('a', { statusHistory: [searching] })} />)
  expect(container.querySelector('.animate-spin')).toBeTruthy()
})

it('a step of an answer that was stopped does not go on', () => {
  const error = { code: 'stopped', content: 'Stopped.' }
  const { container } = render(
    <StatusLine message={answer('a', { statusHistory: [searching], error })} />,
  )
  expect(screen.getByText('Searching')).toBeTruthy()
  expect(container.querySelector('.animate-spin')).toBeNull()
})

it('the end of a step stands in the place of its beginning, and the whole search is one line', () => {
  const source = (name: string) => ({ source: { name }, document: ['x'], metadata: [{}] })
  const rows = [
    { action: 'knowledge_search', description: 'Searching the sources…', done: false },
    { action: 'knowledge_search', description: 'Searched the sources.', done: true },
    { action: 'sources_retrieved', count: 3, description: 'Found 3 sources.', done: true },
  ]
  const message = answer('a', {
    statusHistory: rows,
    sources: [source('a.md'), source('a.md'), source('b.md')],
  })
  const { container } = render(<StatusLine message={message} />)
  expect(screen.getByText('Searched 2 documents')).toBeTruthy()
  expect(screen.queryByText('Searching the sources…')).toBeNull()
  expect(container.querySelector('.animate-spin')).toBeNull()
})

it('sources found are said once: by their list, once there is text above it', () => {
  const statusHistory = [
    { action: 'sources_retrieved', count: 1, description: 'Found one source.', done: true },
  ]
  const sources = [{ source: { name: 'a.md' }, document: ['x'], metadata: [{}] }]
  const { rerender } = render(<StatusLine message={growing({ statusHistory, sources })} />)
  expect(screen.getByText('Found one source.')).toBeTruthy()
  rerender(<StatusLine message={answer('a', { statusHistory, sources })} />)
  expect(screen.queryByText('Found one source.')).toBeNull()
})

it('what was left out stays in sight', () => {
  const rows = [
    { description: 'One', done: true },
    { description: 'Two', done: true },
    {
      action: 'sources_left_out',
      description: 'broken.pdf could not be read and is left out.',
      done: true,
    },
  ]
  render(<StatusLine message={answer('a', { statusHistory: rows })} />)
  expect(
    screen.getByText('broken.pdf could not be read and is left out.').closest('details'),
  ).toBeNull()
  expect(screen.getByText('2 steps')).toBeTruthy()
})

it('what the question says of a file is not said again', () => {
  const of = (name: string) => ({
    action: 'sources_left_out',
    description: `${name} could not be read and is left out. It is damaged.`,
    done: true,
  })
  const files = [
    { type: 'file', id: 'f', name: 'broken.pdf', error: 'It is damaged.' },
    { type: 'file', id: 'g', name: 'late.pdf' },
  ]
  render(
    <StatusLine
      message={answer('a', { statusHistory: [of('broken.pdf'), of('late.pdf')] })}
      leftOut={leftOutFiles({ ...question('q'), files })}
    />,
  )
  expect(screen.queryByText(/broken\.pdf/)).toBeNull()
  expect(screen.getByText(/late\.pdf could not be read/)).toBeTruthy()
})

it('a search of the web folds into what was read, with its words and pages inside', () => {
  const page = (url: string, name: string) => ({
    source: { name, url, type: 'url' },
    document: ['x'],
    metadata: [{}],
  })
  const links = [
    { link: 'https://example.org/a', title: 'Pumps' },
    { link: 'javascript:alert(1)', title: 'Trick' },
  ]
  const rows = [
    { action: 'web_search', description: 'Searching the web…', done: false },
    {
      action: 'web_search_queries_generated',
      queries: ['clean pump'],
      description: 'Worded a search.',
      done: true,
    },
    {
      action: 'web_search',
      description: 'Searched {{count}} sites',
      items: links,
      count: 2,
      done: true,
    },
  ]
  render(
    <StatusLine
      message={answer('a', {
        statusHistory: rows,
        sources: [page('https://example.org/a', 'Pumps')],
      })}
    />,
  )
  expect(screen.getByText('Read 1 web page')).toBeTruthy()
  expect(screen.getByText('clean pump')).toBeTruthy()
  expect(screen.getByText('Searched 2 sites')).toBeTruthy()
  expect(
    screen.getAllByRole('link', { hidden: true }).map((link) => link.getAttribute('href')),
  ).toEqual(['https://example.org/a'])
})

it('a step that failed stays in sight', () => {
  const rows = [
    {
      action: 'web_search_queries_generated',
      queries: ['a'],
      description: 'Worded a search.',
      done: true,
    },
    { action: 'web_search', description: 'The engine did not answer.', error: true, done: true },
  ]
  render(<StatusLine message={answer('a', { statusHistory: rows })} />)
  expect(screen.getByText('The engine did not answer.').closest('details')).toBeNull()
})

const loading = (percent: number) => ({
  action: 'model_loading',
  description: `Loading the model: ${percent}%…`,
  progress: { done: percent, total: 100 },
  done: false,
})

it('a model that is being loaded has one line with its progress, and none once it answers', () => {
  const message = growing({ statusHistory: [loading(0), loading(40)] })
  const { container, rerender } = render(<StatusLine message={message} />)
  expect(container.textContent).toBe('Loading the model: 40%…')
  expect(showsSkeleton(message)).toBe(false)
  const ended = { ...loading(40), done: true, hidden: true }
  const rows = [loading(0), loading(40), ended]
  rerender(<StatusLine message={growing({ content: 'Words', statusHistory: rows })} />)
  expect(container.textContent).toBe('')
  rerender(<StatusLine message={answer('a', { content: 'Words', statusHistory: rows })} />)
  expect(container.textContent).toBe('')
})

it('a wait for a model hides no step before it, and stays beside none after it', () => {
  const searched = { description: 'Searched', done: true }
  const queued = { action: 'model_queued', description: 'Queued', done: false }
  const { container, rerender } = render(
    <StatusLine message={growing({ statusHistory: [searched, queued] })} />,
  )
  expect(container.textContent).toContain('Queued behind another question…')
  const rows = [searched, queued, { ...queued, done: true, hidden: true }]
  rerender(<StatusLine message={growing({ content: 'Words', statusHistory: rows })} />)
  expect(container.textContent).toBe('Searched')
})

it('a call that stands in the answer is not told a second time', () => {
  const rows = [{ action: 'tool_call', name: 'add', description: 'add failed.', done: true }]
  const block =
    '<details type="tool_calls" done="true" id="1" name="add" arguments="{}" result="x">\n<summary>Tool failed</summary>\n</details>\n'
  const { container } = render(
    <StatusLine message={answer('a', { content: block, statusHistory: rows })} />,
  )
  expect(container.textContent).toBe('')
})
