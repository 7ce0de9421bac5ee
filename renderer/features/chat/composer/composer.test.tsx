// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import '../../../lib/i18n.ts'
import { TooltipProvider } from '../../../ui/floating/tooltip.tsx'
import { Attachments } from '../../../ui/attachments/attachments-store.ts'
import { Composer } from './composer.tsx'
import { type Draft, LARGE_PASTE_LINES } from './draft.ts'

afterEach(cleanup)

const onSend = vi.fn()
const onQueue = vi.fn()
const onSteer = vi.fn()
const onEditLast = vi.fn()
const onStop = vi.fn()
const onChange = vi.fn<(draft: Draft) => void>()
beforeEach(() => vi.clearAllMocks())

function show(
  text: string,
  { isAnswering = false, isRead = true, hasModel = true } = {},
): HTMLElement {
  render(
    <TooltipProvider>
      <Composer
        draft={{ text, pastes: [] }}
        box={createRef()}
        isAnswering={isAnswering}
        isRead={isRead}
        hasModel={hasModel}
        modelPicker={null}
        attachments={new Attachments(null)}
        attachRights={{ upload: true, page: true, notes: true, knowledge: true }}
        onChange={onChange}
        onSend={onSend}
        onQueue={onQueue}
        onSteer={onSteer}
        onEditLast={onEditLast}
        onStop={onStop}
      />
    </TooltipProvider>,
  )
  return screen.getByRole('textbox', { name: 'Message' })
}

describe('the composer', () => {
  it('sends with Enter, and Shift and Enter starts a new line', () => {
    const box = show('Hello')
    fireEvent.keyDown(box, { key: 'Enter', shiftKey: true })
    expect(onSend).not.toHaveBeenCalled()
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(onSend).toHaveBeenCalledTimes(1)
  })

  it('leaves Enter to an input method that is composing', () => {
    const box = show('にほん')
    fireEvent.keyDown(box, { key: 'Enter', isComposing: true })
    fireEvent.keyDown(box, { key: 'Enter', keyCode: 229 })
    expect(onSend).not.toHaveBeenCalled()
  })

  it('sends nothing before the conversation is here: the message would not go on with it', () => {
    fireEvent.keyDown(show('Hello', { isRead: false }), { key: 'Enter' })
    expect(screen.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('true')
    expect(onSend).not.toHaveBeenCalled()
  })

  it('sends nothing while it is blank or without a model', () => {
    fireEvent.keyDown(show('  \n'), { key: 'Enter' })
    cleanup()
    fireEvent.keyDown(show('Hello', { hasModel: false }), { key: 'Enter' })
    expect(screen.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('true')
    expect(onSend).not.toHaveBeenCalled()
  })

  it('while an answer is written offers Stop in the place of Send, and Enter lets the text wait', () => {
    const box = show('Next question', { isAnswering: true })
    fireEvent.keyDown(box, { key: 'Enter' })
    fireEvent.change(box, { target: { value: 'Next question!' } })
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
    expect(onSend).not.toHaveBeenCalled()
    expect(onQueue).toHaveBeenCalledTimes(1)
    expect(onChange).toHaveBeenCalledWith({ text: 'Next question!', pastes: [] })
    expect(onStop).toHaveBeenCalledTimes(1)
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
  })

  it('while an answer is written, Control and Enter steer it', () => {
    const box = show('Shorter, please', { isAnswering: true })
    fireEvent.keyDown(box, { key: 'Enter', ctrlKey: true })
    expect(onSteer).toHaveBeenCalledTimes(1)
    expect(onQueue).not.toHaveBeenCalled()
    cleanup()
    fireEvent.keyDown(show('Hello'), { key: 'Enter', ctrlKey: true })
    expect(onSend).toHaveBeenCalledTimes(1)
    expect(onSteer).toHaveBeenCalledTimes(1)
  })

  it('stops the answer with Escape, and changes the last question with the arrow up in an empty box', () => {
    fireEvent.keyDown(show('', { isAnswering: true }), { key: 'Escape' })
    expect(onStop).toHaveBeenCalledTimes(1)
    cleanup()
    const box = show('text')
    fireEvent.keyDown(box, { key: 'ArrowUp' })
    fireEvent.keyDown(box, { key: 'Escape' })
    expect(onEditLast).not.toHaveBeenCalled()
    cleanup()
    fireEvent.keyDown(show(''), { key: 'ArrowUp' })
    expect(onEditLast).toHaveBeenCalledTimes(1)
  })

  it('offers what can be attached', () => {
    show('')
    fireEvent.keyDown(screen.getByRole('button', { name: 'Attach' }), { key: 'Enter' })
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Files…',
      'Knowledge…',
      'Note…',
      'Web page…',
    ])
  })

  it('makes a large pasted text a chip and leaves small ones to the box', () => {
    const box = show('Look:')
    const large = 'line\n'.repeat(LARGE_PASTE_LINES)
    const paste = (text: string): boolean =>
      fireEvent.paste(box, { clipboardData: { files: [], getData: () => text } })
    expect(paste('small')).toBe(true)
    expect(onChange).not.toHaveBeenCalled()
    expect(paste(large)).toBe(false)
    expect(onChange).toHaveBeenCalledWith({ text: 'Look:', pastes: [large] })
  })
})
