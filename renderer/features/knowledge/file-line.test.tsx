// @vitest-environment jsdom
import '../../lib/strings/files.ts'
import '../../lib/strings/knowledge.ts'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import type { KnowledgeFile } from '#contract/knowledge.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import type { Upload } from '../../api/file-uploads.ts'
import { CollectionSummary } from './collection-summary.tsx'
import type { CollectionUploads, UploadsState } from './collection-uploads.ts'
import { FileLine } from './file-line.tsx'

afterEach(cleanup)

const fileOf = (status: string, error?: string) =>
  ({
    id: status,
    filename: 'oven.pdf',
    meta: { size: 1200, content_type: 'application/pdf' },
    data: { status, ...(error !== undefined && { error }) },
    added_at: 1,
  }) as KnowledgeFile

const handlers = {
  onOpen: vi.fn(),
  onMove: vi.fn(),
  onReadAgain: vi.fn(),
  onTakeOut: vi.fn(),
}

function show(part: Partial<Parameters<typeof FileLine>[0]>): void {
  render(
    <TooltipProvider>
      <ul>
        <FileLine
          file={fileOf('failed', 'The file is damaged.')}
          place={null}
          progress={null}
          mayChange
          mayReadAgain
          {...handlers}
          {...part}
        />
      </ul>
    </TooltipProvider>,
  )
}

it('a file that was not read says why in its row, and can be tried again or removed there', () => {
  show({})
  expect(screen.getByText('The file is damaged.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Try again: “oven.pdf”' }))
  expect(handlers.onReadAgain).toHaveBeenCalledOnce()
  fireEvent.click(screen.getByRole('button', { name: 'Remove “oven.pdf”' }))
  expect(handlers.onTakeOut).toHaveBeenCalledOnce()
})

it('those who may only read the collection see the reason without a button', () => {
  show({ mayChange: false })
  expect(screen.getByText('The file is damaged.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^(Try again|Remove)/ })).toBeNull()
})

it('a file that is being read says at which stage it is, and how far', () => {
  show({
    file: fileOf('pending'),
    progress: { stage: 'embedding', done: 3, total: 4 },
  })
  expect(screen.getByText('Preparing for search · 75%')).toBeTruthy()
})

it('the head tells the state of the whole collection', () => {
  const files = [fileOf('completed'), fileOf('pending'), fileOf('failed'), fileOf('failed')]
  const store = createStore<UploadsState>(() => ({ added: 0, refused: [] }))
  const queue = createStore(() => ({ uploads: [] as readonly Upload[] }))
  const into = { store, uploads: { store: queue } } as unknown as CollectionUploads
  const { rerender } = render(<CollectionSummary files={files} into={into} />)
  expect(screen.getByRole('status').textContent).toBe('4 files1 being read2 could not be read')
  const whole = files.slice(0, 1)
  rerender(<CollectionSummary files={whole} into={into} />)
  expect(screen.getByRole('status').textContent).toBe('1 fileAll ready')
  act(() => queue.setState({ uploads: [{ state: 'failed' }, { state: 'sending' }] as Upload[] }))
  expect(screen.getByRole('status').textContent).toBe('1 file1 not added')
  act(() => store.setState({ refused: [{ name: 'oven.pdf', problem: 'Same content.' }] }))
  expect(screen.getByRole('status').textContent).toBe('1 file2 not added')
})
