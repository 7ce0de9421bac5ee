// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import '../../lib/i18n.ts'
import { FormDialog } from './form-dialog.tsx'
import { TooltipProvider } from '../floating/tooltip.tsx'

afterEach(cleanup)

function show(isReady: boolean) {
  const handleSubmit = vi.fn<(event: { preventDefault(): void }) => void>((event) =>
    event.preventDefault(),
  )
  const onClose = vi.fn()
  render(
    <TooltipProvider>
      <FormDialog
        title="Rename"
        submission={{ busy: false, problem: 'The name is taken.', handleSubmit }}
        submitLabel="Rename it"
        isReady={isReady}
        onClose={onClose}
      >
        <input aria-label="Name" />
      </FormDialog>
    </TooltipProvider>,
  )
  return { handleSubmit, onClose, button: screen.getByRole('button', { name: 'Rename it' }) }
}

test('the button outside the form submits it, and the problem of the last attempt is shown', () => {
  const { button, handleSubmit, onClose } = show(true)
  expect(screen.getByRole('alert').textContent).toBe('The name is taken.')
  fireEvent.click(button)
  expect(handleSubmit).toHaveBeenCalledOnce()
  expect(onClose).not.toHaveBeenCalled()
})

test('a form that is not ready cannot be submitted, but closed', () => {
  const { button, handleSubmit, onClose } = show(false)
  fireEvent.click(button)
  expect(handleSubmit).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(onClose).toHaveBeenCalledOnce()
})
