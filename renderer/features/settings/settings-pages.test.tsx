// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import '../../lib/i18n.ts'
import { SettingsPages } from './settings-pages.tsx'

afterEach(() => {
  cleanup()
  localStorage.clear()
})

const show = (): void => {
  render(<SettingsPages page="account" offered={() => true} />)
}
const topic = (name: RegExp): HTMLElement => screen.getByRole('button', { name })

it('says what a folded topic is about, and never names only some of its pages', () => {
  show()
  const system = topic(/^System/)
  expect(system.textContent).toBe('SystemThe gateway and other devices')
  expect(topic(/^Personal/).textContent).toBe('Personal')
})

it('remembers which topics are open', () => {
  show()
  fireEvent.click(topic(/^System/))
  fireEvent.click(topic(/^Personal/))
  fireEvent.click(topic(/^Models/))
  cleanup()
  show()
  expect(topic(/^System/).getAttribute('aria-expanded')).toBe('true')
  expect(topic(/^Models/).getAttribute('aria-expanded')).toBe('true')
  expect(topic(/^People/).getAttribute('aria-expanded')).toBe('false')
  // The topic of the page is open on arrival.
  expect(topic(/^Personal/).getAttribute('aria-expanded')).toBe('true')
})
