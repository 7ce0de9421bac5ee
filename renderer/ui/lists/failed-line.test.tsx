// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import '../../lib/i18n.ts'
import { FailedLine } from './failed-line.tsx'

afterEach(cleanup)

test('says at once what did not come and why, and tries it again', () => {
  const handleRetry = vi.fn()
  const { rerender } = render(
    <FailedLine title="No prices" problem="The gateway is away." onRetry={handleRetry} />,
  )
  expect(screen.getByRole('alert').textContent).toContain('No pricesThe gateway is away.')
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(handleRetry).toHaveBeenCalledOnce()
  rerender(<FailedLine title="No prices" problem={null} onRetry={handleRetry} />)
  expect(screen.getByRole('alert').querySelectorAll('p')).toHaveLength(1)
})
