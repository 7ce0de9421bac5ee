// @vitest-environment jsdom
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

test('buttons of every tone are as high as each other, unless another height is asked for', () => {
  render(
    <>
      {(['primary', 'secondary', 'quiet', 'danger'] as const).map((tone) => (
        <Button key={tone} tone={tone}>
          {tone}
        </Button>
      ))}
      <Button tone="primary" disabled>
        calm
      </Button>
      <Button className="h-primary">tall</Button>
    </>,
  )
  const heights = screen
    .getAllByRole('button')
    .map(({ className }) => className.split(' ').filter((name) => /(^|:)h-/.test(name)))
  expect(heights.slice(0, 5)).toEqual(Array(5).fill(['[:where(&)]:h-control']))
  expect(heights[5]).toEqual(['[:where(&)]:h-control', 'h-primary'])
})
