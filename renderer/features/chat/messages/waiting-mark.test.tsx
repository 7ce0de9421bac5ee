// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import '../../../lib/i18n.ts'
import type { ChatView } from '../chat-context.ts'
import type { ChatMessage } from '../chat-store.ts'
import { answer, model } from '../testing-chat.ts'
import { createFakeView, InView } from '../testing-view.tsx'
import { WaitingMark } from './waiting-mark.tsx'

const NOW = 1_700_000_000

beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000 }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const growing = (fields: Parameters<typeof answer>[1] = {}): ChatMessage =>
  answer('a', { content: '', done: false, timestamp: NOW, ...fields })

function show(message: ChatMessage, parts: Partial<ChatView> = {}) {
  const view = createFakeView([message], parts)
  const draw = (shown: ChatMessage) => (
    <InView view={view}>
      <WaitingMark message={shown} />
    </InView>
  )
  const { container, rerender } = render(draw(message))
  return { container, draw: (shown: ChatMessage) => rerender(draw(shown)) }
}

const pass = (seconds: number) => act(() => void vi.advanceTimersByTime(seconds * 1000))
/** Nothing of the line may look like the button of the message box that stops the answer. */
const expectNoStop = () => expect(screen.queryByRole('button', { name: /stop/i })).toBeNull()

it('after two seconds without text names the connection and the time, and leaves Stop to the message box', () => {
  show(growing(), { model: { ...model, connection: 'Kitchen server' } })
  pass(1)
  expect(screen.queryByText('1 s')).toBeNull()
  pass(2)
  expect(screen.getByText('Waiting for Kitchen server')).toBeTruthy()
  expect(screen.getByText('3 s')).toBeTruthy()
  expectNoStop()
})

it('names the model where its connection is not known', () => {
  show(growing({ model: 'gone', modelName: 'Gone' }))
  pass(3)
  expect(screen.getByText('Waiting for Gone')).toBeTruthy()
})

it('counts from the question when the page was opened later', () => {
  show(growing({ timestamp: NOW - 70 }))
  pass(5)
  expect(screen.getByText('1:15')).toBeTruthy()
})

it('does not trust a clock that differs by more than an hour', () => {
  show(growing({ timestamp: NOW - 90_000 }))
  pass(3)
  expect(screen.getByText('3 s')).toBeTruthy()
})

it('counts again when text arrives, and by the clock where timers rest', () => {
  const { draw } = show(growing())
  pass(5)
  draw(growing({ content: 'Words' }))
  vi.setSystemTime((NOW + 35) * 1000)
  pass(1)
  expect(screen.getByText('No new text for 31 s')).toBeTruthy()
})

it('says after five seconds that text which had begun has paused', () => {
  const { draw } = show(growing({ content: 'The first' }))
  pass(4)
  expect(screen.queryByText(/No new text|Waiting/)).toBeNull()
  pass(4)
  expect(screen.getByText('No new text for 8 s').getAttribute('aria-hidden')).toBe('true')
  expectNoStop()
  draw(growing({ content: 'The first half' }))
  expect(screen.queryByText(/No new text/)).toBeNull()
})

it('leaves a step to the line above the text, and adds its time', () => {
  const reading = { action: 'files_pending', description: 'Reading 3 files', done: false }
  const { container, draw } = show(growing({ statusHistory: [reading] }))
  expect(container.textContent).toBe('')
  pass(4)
  expect(screen.queryByText(/Waiting|Reading/)).toBeNull()
  expect(screen.getByText('4 s')).toBeTruthy()
  expectNoStop()
  draw(growing({ content: 'Words', statusHistory: [reading] }))
  pass(3)
  expect(screen.getByText('Reading 3 files')).toBeTruthy()
})

it('after ten seconds says that a local model may still be loading, and offers another', () => {
  const local = { ...model, connection: 'Kitchen server', isLocal: true }
  const { draw } = show(growing(), { model: local })
  pass(9)
  expect(screen.queryByText('The model may still be loading.')).toBeNull()
  pass(2)
  expect(screen.getByText('The model may still be loading.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Change model' })).toBeTruthy()
  draw(growing({ content: 'Words' }))
  expect(screen.queryByText('The model may still be loading.')).toBeNull()
})

it('does not say that of a model elsewhere', () => {
  show(growing(), { model: { ...model, connection: 'Far away', isLocal: false } })
  pass(12)
  expect(screen.getByText('Waiting for Far away')).toBeTruthy()
  expect(screen.queryByText('The model may still be loading.')).toBeNull()
})
