// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { keepAboveKeyboard } from './keep-above-keyboard.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('the page is as high as what the keyboard leaves of it, and whole again afterwards', () => {
  const seen = Object.assign(new EventTarget(), { height: 420, scale: 1 })
  vi.stubGlobal('visualViewport', seen)
  vi.stubGlobal('innerHeight', 780)
  vi.stubGlobal('scrollTo', vi.fn())
  const height = () => document.documentElement.style.getPropertyValue('--seen-height')
  const stop = keepAboveKeyboard()
  seen.dispatchEvent(new Event('resize'))
  expect(height()).toBe('420px')
  seen.height = 780
  seen.dispatchEvent(new Event('resize'))
  expect(height()).toBe('')
  Object.assign(seen, { height: 390, scale: 2 })
  seen.dispatchEvent(new Event('resize'))
  expect(height()).toBe('')
  stop()
})
