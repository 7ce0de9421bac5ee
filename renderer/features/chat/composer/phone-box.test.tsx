// @vitest-environment jsdom
import '../../../testing/browser-features.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../../lib/i18n.ts'
import { TooltipProvider } from '../../../ui/floating/tooltip.tsx'
import { Attachments } from '../../../ui/attachments/attachments-store.ts'
import { AddSheet } from '../attachments/add-sheet.tsx'
import { ALL_RIGHTS } from '../chat-rights.ts'
import { createChatStore } from '../chat-store.ts'
import { model } from '../testing-chat.ts'
import { ChosenChips } from '../tools/chosen-chips.tsx'
import { CODE, WEB_SEARCH } from '../tools/chosen-tools.ts'

afterEach(() => {
  cleanup()
  localStorage.clear()
  delete (HTMLInputElement.prototype as { capture?: string }).capture
})

const ALL = { upload: true, page: true, notes: true, knowledge: true }

function openSheet(rights = ALL): (string | null)[] {
  render(
    <TooltipProvider>
      <AddSheet attachments={new Attachments(null)} rights={rights}>
        {null}
      </AddSheet>
    </TooltipProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Add and use' }))
  return screen
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label'))
    .filter((label) => label !== 'Add and use')
}

it('the sheet names what may be attached, and the camera where the browser opens one', () => {
  expect(openSheet()).toEqual(['Photos and files', 'Knowledge', 'Note', 'Web page'])
  cleanup()
  expect(openSheet({ ...ALL, upload: false, knowledge: false })).toEqual(['Note', 'Web page'])
  cleanup()
  Object.defineProperty(HTMLInputElement.prototype, 'capture', { value: '', configurable: true })
  expect(openSheet()).toContain('Take a photo')
})

it('a chip takes away what goes along, and is only there for what can be taken away', () => {
  const onDrop = vi.fn()
  const store = createChatStore(null)
  store.setState({
    tools: { toolIds: [], filterIds: [], skillIds: [], featureIds: [CODE, WEB_SEARCH] },
  })
  render(
    <ChosenChips
      store={store}
      model={model}
      rights={{
        ...ALL_RIGHTS,
        code: { mayRun: true, isOffered: true, isReady: true, mayConfigure: false },
      }}
      others={[{ ...model, id: 'second', name: 'Second' }]}
      onDrop={onDrop}
    />,
  )
  expect(screen.queryByRole('button', { name: 'Web: remove' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Second: remove' }))
  expect(onDrop).toHaveBeenCalledExactlyOnceWith('second')
  fireEvent.click(screen.getByRole('button', { name: 'Code: remove' }))
  expect(store.getState().tools?.featureIds).toEqual([WEB_SEARCH])
  expect(screen.queryByRole('button', { name: 'Code: remove' })).toBeNull()
})
