// @vitest-environment jsdom
import '../../../testing/browser-features.ts'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import '../../../lib/i18n.ts'
import type { ChatView } from '../chat-context.ts'
import type { ChatMessage } from '../chat-store.ts'
import { chatViewStore } from '../chat-view-store.ts'
import { answer, model, question } from '../testing-chat.ts'
import { createFakeView, InView } from '../testing-view.tsx'
import { AnswerActions } from '../messages/message-actions.tsx'
import { MessageError } from './message-error.tsx'

const NOW = 1_700_000_000

beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000 }))
afterEach(() => {
  cleanup()
  chatViewStore.setState({ editingId: null })
  vi.useRealTimers()
})

let count = 0

/** Each question is new, because a question is retried only once. */
function failed(error: Record<string, unknown>, fields: Parameters<typeof answer>[1] = {}) {
  count += 1
  const message = answer(`a${count}`, {
    content: '',
    parentId: `q${count}`,
    error: { content: 'No.', ...error },
    ...fields,
  })
  return message
}

const busy = (wait: number, code = 'upstream_rate_limited') =>
  failed({ code, retry_after: wait, retry_at: NOW + wait })

interface Shown extends Partial<ChatView> {
  readonly isLast?: boolean
  readonly isColumn?: boolean
  readonly isLive?: boolean
}

function show(message: ChatMessage, shown: Shown = {}) {
  const { isLast = true, isColumn = false, isLive = true, ...parts } = shown
  const view = createFakeView([question(message.parentId ?? 'q'), message], parts)
  if (isLive) view.chat.store.setState({ liveTurn: message.id })
  const draw = (last: boolean, next: Partial<ChatView> = {}) => (
    <InView view={{ ...view, ...next }}>
      <MessageError message={message} isLast={last} isColumn={isColumn} />
    </InView>
  )
  const { rerender, unmount } = render(draw(isLast))
  return {
    unmount,
    goOn: () => rerender(draw(false)),
    choose: (id: string) => rerender(draw(isLast, { model: { ...model, id } })),
  }
}

const pass = (seconds: number) => act(() => void vi.advanceTimersByTime(seconds * 1000))
const retryButton = () => screen.queryByRole('button', { name: 'Retry' })

describe('a failed answer', () => {
  it('is a card with its actions while it is the end of the conversation', () => {
    show(failed({ code: 'upstream_unavailable' }))
    expect(retryButton()).toBeTruthy()
  })

  it('is one line that opens once the conversation went on', () => {
    const { goOn } = show(failed({ code: 'upstream_unavailable', connection: 'Kitchen' }))
    goOn()
    expect(retryButton()).toBeNull()
    const line = screen.getByText('The provider is overloaded or starting')
    expect(screen.getByText('Kitchen')).toBeTruthy()
    const fold = line.closest('details')!
    fold.open = true
    fireEvent(fold, new Event('toggle'))
    expect(retryButton()).toBeTruthy()
  })

  it('is one line as well when the answer was requested again', () => {
    const message = failed({ code: 'upstream_unavailable' })
    show({ ...message, siblingIds: [message.id, 'newer'] })
    expect(retryButton()).toBeNull()
    expect(screen.getByText('The provider is overloaded or starting')).toBeTruthy()
  })
})

/** Returns the names of the shown buttons, and of those behind the menu. */
function offered(): { buttons: (string | null)[]; menu: (string | null)[] } {
  const buttons = screen
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? button.textContent)
  const more = screen.queryByRole('button', { name: MORE })
  if (more) fireEvent.keyDown(more, { key: 'Enter' })
  return { buttons, menu: screen.queryAllByRole('menuitem').map((item) => item.textContent) }
}

const MORE = 'More'

/** Items that the menu of every answer has. */
const OWN = ['Add to favourites', 'How this answer was made', 'Delete from here on']

describe('a failed answer with its actions', () => {
  const inWhole = (message: ChatMessage, isLast = true) =>
    render(
      <InView view={createFakeView([question(message.parentId ?? 'q'), message])}>
        <MessageError message={message} isLast={isLast} />
        <AnswerActions message={message} isLast={isLast} />
      </InView>,
    )

  it.each<[string, Parameters<typeof answer>[1]]>([
    ['that never began', {}],
    ['that broke off', { content: 'Words' }],
  ])('%s has one menu, in its card', (_, fields) => {
    inWhole(failed({ code: 'upstream_broken' }, fields))
    const menu = screen.getByRole('button', { name: MORE })
    expect(menu.closest('[data-message-error]')).not.toBeNull()
  })

  it('that was superseded has it in its row, also when its card is opened', () => {
    const { container } = inWhole(failed({ code: 'upstream_broken' }), false)
    container.querySelector('details')!.open = true
    fireEvent(container.querySelector('details')!, new Event('toggle'))
    expect(retryButton()).toBeTruthy()
    const menu = screen.getByRole('button', { name: MORE })
    expect(menu.closest('[data-message-error]')).toBeNull()
  })
})

it('a conversation with nothing to leave out is not told to leave something out', () => {
  show(failed({ code: 'context_length_exceeded' }))
  expect(screen.getByText('Choose a model that reads more, or begin a new chat.')).toBeTruthy()
})

describe('the ways out of a failure', () => {
  it.each<[string, Record<string, unknown>, Shown, string[], string[]]>([
    [
      'an unknown cause',
      { code: 'upstream_failed' },
      { mayConnect: true },
      ['Retry', 'Find the cause', MORE],
      ['Change model'],
    ],
    [
      'an unknown cause, for others',
      { code: 'upstream_failed' },
      {},
      ['Retry', 'Change model', MORE],
      [],
    ],
    [
      'a cause that is told',
      { code: 'upstream_refused_connection' },
      { mayConnect: true },
      ['Retry', 'Change model', MORE],
      ['Open connection settings'],
    ],
    [
      'a rejected key, without a form for it',
      { code: 'upstream_refused_key' },
      { mayConnect: true },
      ['Open connection settings', 'Retry', MORE],
      ['Change model'],
    ],
    [
      'a rejected key, for others',
      { code: 'upstream_refused_key' },
      {},
      ['Change model', 'Retry', MORE],
      [],
    ],
    [
      'a wait that ends with a retry',
      { code: 'upstream_rate_limited', retry_after: 40, retry_at: NOW + 40 },
      {},
      ['Retry now', 'Cancel', 'Change model', MORE],
      [],
    ],
    [
      'a conversation that is too long',
      { code: 'context_length_exceeded' },
      { mayConnect: true },
      ['Choose a model with more context', 'Retry', MORE],
      [],
    ],
  ])('of %s are one main, one beside it, and a menu', (_, error, shown, ...[buttons, menu]) => {
    show(failed(error), shown)
    expect(offered()).toEqual({ buttons, menu: [...menu, ...OWN] })
    expect(document.querySelectorAll('button.bg-accent')).toHaveLength(1)
  })

  it('of a rejected key begin with the form for a new one, for those who may replace it', () => {
    const retry = vi.fn()
    const message = failed({ code: 'upstream_refused_key', connection: 'Work' })
    show(message, {
      retry,
      mayConnect: true,
      repair: (connection, onRepaired, buttons) => (
        <>
          <button type="button" onClick={onRepaired}>
            Save for {connection}
          </button>
          {buttons}
        </>
      ),
    })
    fireEvent.click(screen.getByRole('button', { name: 'Save for Work' }))
    expect(retry).toHaveBeenCalledExactlyOnceWith(message.id)
    const { buttons, menu } = offered()
    expect(buttons).toEqual(['Save for Work', 'Change model', MORE])
    expect(menu).toEqual(['Open connection settings', 'Retry', ...OWN])
  })
})

describe('a busy provider', () => {
  it.each([
    ['by its name', { connection: 'Kitchen' }, 'Kitchen is busy'],
    ['without a known name by what it says', {}, 'Too many requests'],
  ])('is called %s', (_, fields, title) => {
    show(failed({ code: 'upstream_rate_limited', ...fields }))
    expect(screen.getByText(title)).toBeTruthy()
    expect(screen.queryByText('Kitchen', { exact: true })).toBeNull()
  })

  it.each(['upstream_rate_limited', 'upstream_unavailable'])(
    'is asked again by itself when its waiting time ends (%s), once for a question',
    (code) => {
      const retry = vi.fn()
      const message = busy(4, code)
      const { unmount } = show(message, { retry })
      expect(screen.getByText('Retrying in 4 seconds.')).toBeTruthy()
      expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy()
      pass(3)
      expect(screen.getByText('Retrying in 1 second.')).toBeTruthy()
      expect(retry).not.toHaveBeenCalled()
      pass(1)
      expect(retry).toHaveBeenCalledExactlyOnceWith(message.id)
      pass(60)
      unmount()
      const again = { ...busy(4), parentId: message.parentId }
      show({ ...again, error: { ...again.error!, retry_at: Date.now() / 1000 + 4 } }, { retry })
      expect(screen.getByText('You can retry in 4 seconds.')).toBeTruthy()
      pass(60)
      expect(retry).toHaveBeenCalledTimes(1)
    },
  )

  it('is left alone after Cancel, and can be asked by hand', () => {
    const retry = vi.fn()
    const message = busy(3)
    show(message, { retry })
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByText('You can retry in 3 seconds.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
    pass(5)
    expect(retry).not.toHaveBeenCalled()
    fireEvent.click(retryButton()!)
    expect(retry).toHaveBeenCalledWith(message.id)
  })

  it('can be asked at once while it is waited for', () => {
    const retry = vi.fn()
    const message = busy(40)
    show(message, { retry })
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Retry now' })
    expect(button.disabled).toBe(false)
    fireEvent.click(button)
    expect(retry).toHaveBeenCalledExactlyOnceWith(message.id)
    pass(40)
    expect(retryButton()).toBeTruthy()
  })

  it('is left alone after the chat was left, also when the user returns', () => {
    const retry = vi.fn()
    const message = busy(30)
    show(message, { retry }).unmount()
    show(message, { retry })
    expect(screen.getByText('You can retry in 30 seconds.')).toBeTruthy()
    pass(60)
    expect(retry).not.toHaveBeenCalled()
  })

  it.each<[string, Shown]>([
    ['in a window that did not ask', { isLive: false }],
    ['for one of several answers', { isColumn: true }],
    ['when the conversation went on', { isLast: false }],
  ])('is left alone %s', (_, shown) => {
    const retry = vi.fn()
    show(busy(3), { retry, ...shown })
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
    pass(5)
    expect(retry).not.toHaveBeenCalled()
  })

  it('is left alone when the answer has begun, whose text would be replaced', () => {
    const retry = vi.fn()
    show({ ...busy(3), content: 'Words' }, { retry })
    pass(5)
    expect(retry).not.toHaveBeenCalled()
  })

  it('is left alone when another model was chosen or a message is being edited', () => {
    const retry = vi.fn()
    const { choose } = show(busy(3), { retry })
    choose('other')
    expect(screen.getByText('You can retry in 3 seconds.')).toBeTruthy()
    pass(5)
    cleanup()
    show(busy(8), { retry })
    act(() => chatViewStore.setState({ editingId: 'q' }))
    pass(10)
    expect(retry).not.toHaveBeenCalled()
  })

  it('is left alone after a long wait, and when the computer slept over the end', () => {
    const retry = vi.fn()
    show(busy(1800), { retry })
    expect(screen.getByText('You can retry in 30 minutes.')).toBeTruthy()
    cleanup()
    show(busy(20), { retry })
    vi.setSystemTime((NOW + 7200) * 1000)
    pass(2)
    expect(retry).not.toHaveBeenCalled()
  })

  it('is waited for by this clock where the gateway is ahead', () => {
    show(failed({ code: 'upstream_rate_limited', retry_after: 5, retry_at: NOW + 3600 }))
    pass(2)
    expect(screen.getByText('Retrying in 3 seconds.')).toBeTruthy()
  })
})
