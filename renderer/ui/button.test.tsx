import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Button } from './button.tsx'

afterEach(cleanup)

test('a busy button keeps the focus, takes no clicks and sends no form', () => {
  const handleClick = vi.fn()
  const handleSubmit = vi.fn()
  const form = (busy: boolean) => (
    <form onSubmit={handleSubmit}>
      <Button type="submit" busy={busy} onClick={handleClick}>
        Save
      </Button>
    </form>
  )
  const { rerender } = render(form(false))
  const button = screen.getByRole('button', { name: 'Save' })
  button.focus()
  rerender(form(true))
  expect(document.activeElement).toBe(button)
  expect(button.getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(button)
  expect(handleClick).not.toHaveBeenCalled()
  expect(handleSubmit).not.toHaveBeenCalled()
})

test('a button that says why it is off keeps saying so', () => {
  render(<Button aria-disabled>Off</Button>)
  expect(screen.getByRole('button', { name: 'Off' }).getAttribute('aria-disabled')).toBe('true')
})
