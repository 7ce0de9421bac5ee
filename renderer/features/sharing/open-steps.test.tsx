// @vitest-environment jsdom
import '../../testing/browser-features.ts'
import './strings.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { SharingStatus } from '#contract/sharing.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { OpenSteps } from './open-steps.tsx'
import { Fingerprint } from './switch-section.tsx'

const at = (url: string) => ({ address: 'a', interface: 'en0', chosen: true, url, fault: null })

const status: SharingStatus = {
  on: true,
  ends_at: null,
  name: 'desk.local',
  port: 8643,
  addresses: [at('https://[fd00::2]:8643'), at('https://192.168.0.2:8643')],
  certificate: null,
  system: 'linux',
  fault: null,
}

const show = (): void => {
  render(
    <TooltipProvider>
      <OpenSteps status={status} />
    </TooltipProvider>,
  )
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('three steps name the address that every device can open, with a code of the same', () => {
  show()
  expect(screen.getByRole('list', { name: 'Open on the other device' }).children).toHaveLength(3)
  expect(screen.getByText('https://192.168.0.2:8643')).toBeTruthy()
  expect(screen.getByRole('img', { name: 'QR code for https://192.168.0.2:8643' })).toBeTruthy()
  expect(screen.queryByText('https://[fd00::2]:8643')).toBeNull()
})

test('a phone gets the address to send, as it cannot scan its own screen', () => {
  const shared = vi.fn(async () => undefined)
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  Object.assign(navigator, { share: shared })
  show()
  const code = screen.getByLabelText('QR code for https://192.168.0.2:8643')
  expect(code.closest('details')?.open).toBe(false)
  fireEvent.click(screen.getByRole('button', { name: 'Share' }))
  expect(shared).toHaveBeenCalledWith({ url: 'https://192.168.0.2:8643' })
  Reflect.deleteProperty(navigator, 'share')
})

test('the lines of a fingerprint end between its pairs only', () => {
  const { container } = render(<Fingerprint title="Fingerprint" text="6B:F8:95" />)
  expect(container.querySelector('code')?.innerHTML).toBe('6B:<wbr>F8:<wbr>95')
})
