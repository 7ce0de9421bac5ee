// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setLanguage } from '../../lib/i18n.ts'
import { CopyButton } from './copy-button.tsx'
import { Toaster } from '../floating/toast.tsx'
import { TooltipProvider } from '../floating/tooltip.tsx'

beforeEach(() => setLanguage('en'))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function press(clipboard: Partial<Clipboard> | undefined): void {
  vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: clipboard } }))
  render(
    <TooltipProvider>
      <Toaster />
      <CopyButton text="river" />
    </TooltipProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
}

it('copies, and says so in its own place', async () => {
  const writeText = vi.fn(() => Promise.resolve())
  press({ writeText })
  await screen.findByRole('button', { name: 'Copied' })
  expect(writeText).toHaveBeenCalledWith('river')
})

it('says what to do where the browser does not trust the page', async () => {
  press(undefined)
  const told = await screen.findByText(/lends its clipboard only to a page it trusts/)
  expect(told.textContent).toContain('copy it yourself')
  expect(screen.queryByRole('button', { name: 'Copied' })).toBeNull()
})

it('says what to check where the person or the browser said no', async () => {
  press({ writeText: () => Promise.reject(new Error('denied')) })
  const told = await screen.findByText(/Check that this site may use the clipboard/)
  expect(told.textContent).not.toContain('trusts')
})
