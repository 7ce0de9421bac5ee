import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Popover } from './popover.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** Gives every element an animation, as a browser does: named as soon as it is in its place, whether or not it has begun. */
function animateEverything(): void {
  const read = window.getComputedStyle.bind(window)
  vi.spyOn(window, 'getComputedStyle').mockImplementation((element, pseudo) => {
    const nameOf = (): string => ((element as HTMLElement).style.animation === 'none' ? 'none' : 'rise')
    return new Proxy(read(element, pseudo), {
      get: (style, key) => {
        if (key === 'animationName') return nameOf()
        const value: unknown = Reflect.get(style, key, style)
        return typeof value === 'function' ? value.bind(style) : value
      },
    })
  })
}

test('a panel that is closed while it still appears is gone at once, so that the next Escape belongs to what came after it', async () => {
  animateEverything()
  render(
    <Popover label="Panel" trigger={<button type="button">Open</button>}>
      <p>Content</p>
    </Popover>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Open' }))
  await vi.waitFor(() => expect(screen.getByRole('dialog', { name: 'Panel' }).style.animation).toBe(''))
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(screen.queryByRole('dialog')).toBeNull()
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' })))
})
