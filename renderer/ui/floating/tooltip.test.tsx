// @vitest-environment jsdom
import '../../testing/browser-features.ts'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { TooltipProvider } from './tooltip.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function focusOn(pointer: 'coarse' | 'fine'): void {
  const list = window.matchMedia('')
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(Object.create(list) as MediaQueryList, {
      matches: query === `(pointer: ${pointer})`,
    }),
  )
  render(
    <TooltipProvider>
      <IconButton label="Show chat list" icon={null} accelerator="Ctrl+B" />
    </TooltipProvider>,
  )
  act(() => screen.getByRole('button').focus())
}

it('explains a button that the keyboard reaches', () => {
  focusOn('fine')
  expect(screen.getByRole('tooltip').textContent).toContain('Show chat list')
})

it('shows nothing on a touch screen where code moves the focus', () => {
  focusOn('coarse')
  expect(screen.queryByRole('tooltip')).toBeNull()
})
