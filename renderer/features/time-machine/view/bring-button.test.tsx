// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../../lib/i18n.ts'
import { fakeGateway } from '../../../testing/fake-gateway.ts'
import { TooltipProvider } from '../../../ui/floating/tooltip.tsx'
import '../strings.ts'
import { BringButton } from './bring-button.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('a double click brings a folder back once', async () => {
  const gateway = fakeGateway({
    'POST /api/v1/snapshots/s1/bring-back': {
      kind: 'folder',
      id: 'f2',
      files: 0,
      missing_files: 0,
    },
  })
  render(
    <TooltipProvider>
      <BringButton isSmall snapshotId="s1" kind="folder" id="f1" name="Work" />
    </TooltipProvider>,
  )
  const button = screen.getByRole('button')
  fireEvent.click(button)
  fireEvent.click(button)
  await waitFor(() => expect(gateway.calls.length).toBeGreaterThan(0))
  expect(gateway.calls).toHaveLength(1)
})
