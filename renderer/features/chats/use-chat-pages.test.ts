// @vitest-environment jsdom
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeGateway, type SeenCall } from '../../testing/fake-gateway.ts'
import { sampleChat } from '../../testing/samples.ts'
import { PAGE_SIZE } from './chats-store.ts'
import { useChatPages } from './use-chat-pages.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('further chats are read from behind those that are listed, however many were taken off meanwhile', async () => {
  const stored = Array.from({ length: PAGE_SIZE + 5 }, (_, index) =>
    sampleChat({ id: `c${index}` }),
  )
  fakeGateway({
    'GET /api/v1/chats/archived': ({ query }: SeenCall) => {
      const start = (Number(query.get('page')) - 1) * PAGE_SIZE
      return stored.slice(start, start + PAGE_SIZE)
    },
  })
  const { result } = renderHook(() => useChatPages('archived', ''))
  await waitFor(() => expect(result.current.chats).toHaveLength(PAGE_SIZE))
  stored.splice(0, 2)
  act(() => result.current.forget(new Set(['c0', 'c1'])))
  act(() => result.current.readMore())
  await waitFor(() => expect(result.current.chats).toHaveLength(PAGE_SIZE))
  act(() => result.current.readMore())
  await waitFor(() => expect(result.current.hasMore).toBe(false))
  expect(result.current.chats.map(({ id }) => id)).toEqual(stored.map(({ id }) => id))
})
