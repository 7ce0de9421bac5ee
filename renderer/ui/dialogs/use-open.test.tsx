// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Menu, MenuItem } from '../floating/menu.tsx'
import { Popover } from '../floating/popover.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/**
 * Gives every element an animation as a browser does: its name is set as soon as the element is in
 * place, whether or not the animation has started.
 */
function animateEverything(): void {
  const read = window.getComputedStyle.bind(window)
  vi.spyOn(window, 'getComputedStyle').mockImplementation((element, pseudo) => {
    const nameOf = (): string =>
      (element as HTMLElement).style.animation === 'none' ? 'none' : 'rise'
    return new Proxy(read(element, pseudo), {
      get: (style, key) => {
        if (key === 'animationName') return nameOf()
        const value: unknown = Reflect.get(style, key, style)
        return typeof value === 'function' ? value.bind(style) : value
      },
    })
  })
}

const BUTTON = <button type="button">Open</button>
const PANELS = [
  {
    role: 'dialog',
    panel: (
      <Popover label="Panel" trigger={BUTTON}>
        <p>Content</p>
      </Popover>
    ),
  },
  {
    role: 'menu',
    panel: (
      <Menu trigger={BUTTON}>
        <MenuItem onSelect={() => undefined}>Line</MenuItem>
      </Menu>
    ),
  },
]

test.each(PANELS)(
  'a $role that is closed while it still appears is gone at once, so that the next Escape belongs to what came after it',
  async ({ role, panel }) => {
    animateEverything()
    render(panel)
    const button = screen.getByRole('button', { name: 'Open' })
    if (role === 'menu') fireEvent.keyDown(button, { key: 'Enter' })
    else fireEvent.click(button)
    await vi.waitFor(() => expect(screen.getByRole(role).style.animation).toBe(''))
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
    expect(screen.queryByRole(role)).toBeNull()
    await vi.waitFor(() => expect(document.activeElement).toBe(button))
  },
)
