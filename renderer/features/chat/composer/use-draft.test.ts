// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readDraft } from './draft.ts'
import { useDraft } from './use-draft.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)

const asProps = (chatId: string | null) => ({ chatId })

it('what is written while a new chat is being stored is a draft of that chat, not of the next new one', () => {
  const { result, rerender, unmount } = renderHook(({ chatId }) => useDraft(chatId), {
    initialProps: asProps(null),
  })
  act(() => result.current.change({ text: 'And then?', pastes: [] }))
  rerender(asProps('c1'))
  expect(result.current.draft.text).toBe('And then?')
  unmount()
  expect(readDraft('c1').text).toBe('And then?')
  expect(readDraft(null).text).toBe('')
})
