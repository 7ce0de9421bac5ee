// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import '../../../lib/i18n.ts'
import type { Failure } from './describe-failure.ts'
import { RetryTime, secondsLeft, useRetryTime } from './retry-time.tsx'

const NOW = 1_700_000_000_000
const limited = (wait: number) => ({
  content: 'Wait.',
  retry_after: wait,
  retry_at: NOW / 1000 + wait,
})

const Countdown = ({ error }: { error: Failure }) => <RetryTime time={useRetryTime(error)} />

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('counts down to the time a provider named, and says when it is over', () => {
  vi.useFakeTimers({ now: NOW })
  render(<Countdown error={limited(2)} />)
  expect(screen.getByText('You can retry in 2 seconds.')).toBeTruthy()
  expect(screen.getByRole('status').textContent).toBe('')
  act(() => void vi.advanceTimersByTime(1000))
  expect(screen.getByText('You can retry in 1 second.')).toBeTruthy()
  act(() => void vi.advanceTimersByTime(1000))
  expect(screen.getByRole('status').textContent).toBe('You can retry now.')
})

test('long times are told in minutes', () => {
  vi.useFakeTimers({ now: NOW })
  render(<Countdown error={limited(1800)} />)
  expect(screen.getByText('You can retry in 30 minutes.')).toBeTruthy()
})

test('a failure without a time, or with one that is over, has no countdown', () => {
  vi.useFakeTimers({ now: NOW + 60_000 })
  const { container, rerender } = render(<Countdown error={limited(20)} />)
  expect(container.textContent).toBe('')
  rerender(<Countdown key="other" error={{ content: 'No.' }} />)
  expect(container.textContent).toBe('')
})

test('a clock that is behind the gateway makes nobody wait longer than was asked', () => {
  expect(secondsLeft(limited(20), NOW - 3_600_000)).toBe(20)
  expect(secondsLeft({ content: '', retry_after: 'soon', retry_at: 1 }, NOW)).toBe(0)
})
