// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { FormEvent } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import '../../lib/i18n.ts'
import { TooltipProvider } from '../floating/tooltip.tsx'
import { DialogActions } from './dialog-actions.tsx'
import { Dialog } from './dialog.tsx'

afterEach(cleanup)

const submit = vi.fn((event: FormEvent) => event.preventDefault())

const form = (
  <form id="form" onSubmit={submit}>
    <input aria-label="Name" />
    <DialogActions>
      <button type="submit" form="form">
        Keep
      </button>
    </DialogActions>
  </form>
)

test('the buttons of a form in a dialog are in its bar, outside of what scrolls, and submit it', () => {
  render(
    <TooltipProvider>
      <Dialog onClose={() => undefined} title="Form">
        {form}
      </Dialog>
    </TooltipProvider>,
  )
  const button = screen.getByRole('button', { name: 'Keep' })
  expect(button.closest('form')).toBeNull()
  expect(button.closest('.overflow-y-auto')).toBeNull()
  fireEvent.click(button)
  expect(submit).toHaveBeenCalledOnce()
})

test('outside of a dialog they follow the fields', () => {
  render(form)
  expect(screen.getByRole('button', { name: 'Keep' }).closest('form')).not.toBeNull()
})
