// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { useAction } from './use-action.ts'

afterEach(cleanup)

it('says what came of it to whoever is still there', async () => {
  const onDone = vi.fn()
  const { result } = renderHook(() =>
    useAction((name: string) => Promise.resolve(`${name}!`), onDone),
  )
  await act(() => result.current.run('garden'))
  expect(onDone).toHaveBeenCalledExactlyOnceWith('garden!')
})

it('leaves whoever closed the dialog meanwhile alone: another one may be open by now', async () => {
  const onDone = vi.fn()
  const { promise, resolve } = Promise.withResolvers<void>()
  const { result, unmount } = renderHook(() => useAction(() => promise, onDone))
  const running = act(() => result.current.run())
  unmount()
  resolve()
  await running
  expect(onDone).not.toHaveBeenCalled()
})

it('is not done with what failed', async () => {
  const onDone = vi.fn()
  const { result } = renderHook(() => useAction(() => Promise.reject(new Error('No.')), onDone))
  await act(() => result.current.run())
  expect(result.current.problem).toBe('No.')
  expect(onDone).not.toHaveBeenCalled()
})
