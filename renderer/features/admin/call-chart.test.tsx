// @vitest-environment jsdom
import '../../testing/browser-features.ts'
import '../../lib/strings/admin.ts'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RequestRecord } from '#contract/requests.ts'
import { CallChart } from './call-chart.tsx'

const MINUTE = 60_000

const call = (time: number, tokens: number | null = null): RequestRecord =>
  ({
    time,
    status: 200,
    usage: tokens === null ? null : { total_tokens: tokens },
  }) as unknown as RequestRecord

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('calls of a single minute are not drawn', () => {
  render(<CallChart records={[call(MINUTE), call(MINUTE + 5000)]} />)
  expect(screen.queryByRole('region')).toBeNull()
})

test('calls of two minutes are drawn, tokens only if there are any', () => {
  const { rerender } = render(<CallChart records={[call(MINUTE), call(3 * MINUTE)]} />)
  expect(screen.getAllByRole('img')).toHaveLength(1)
  rerender(<CallChart records={[call(MINUTE, 7), call(3 * MINUTE)]} />)
  expect(screen.getAllByRole('img')).toHaveLength(2)
})
