// @vitest-environment jsdom
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { useLoaded } from './use-loaded.ts'

afterEach(cleanup)

it('discards the result of an earlier load', async () => {
  const loads = new Map<string, PromiseWithResolvers<string>>()
  const read = (id: string): Promise<string> => {
    loads.set(id, Promise.withResolvers<string>())
    return loads.get(id)!.promise
  }
  const { result, rerender } = renderHook(({ id }) => useLoaded(() => read(id), [id]), {
    initialProps: { id: 'first' },
  })
  rerender({ id: 'second' })
  await act(async () => loads.get('second')!.resolve('the second'))
  await act(async () => loads.get('first')!.resolve('the first'))
  expect(result.current.value).toBe('the second')
})

it('reports a failure, keeps the value, and loads again on request', async () => {
  const replies = [
    () => Promise.reject(new Error('No.')),
    () => Promise.resolve('loaded'),
    () => Promise.reject(new Error('Not again.')),
  ]
  const { result } = renderHook(() => useLoaded(() => replies.shift()!(), []))
  await waitFor(() => expect(result.current.problem).toBe('No.'))
  expect(result.current.value).toBeNull()
  act(() => result.current.reload())
  await waitFor(() => expect(result.current.value).toBe('loaded'))
  expect(result.current.problem).toBeNull()
  act(() => result.current.reload())
  await waitFor(() => expect(result.current.problem).toBe('Not again.'))
  expect(result.current.value).toBe('loaded')
})
