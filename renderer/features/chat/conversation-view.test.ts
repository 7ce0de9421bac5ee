// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import '../../lib/i18n.ts'
import { chatPath, currentRoute, navigate } from '../../lib/router.ts'
import { openChat } from './chat-registry.ts'
import { acknowledge } from './conversation-view.ts'
import { keepDraft, readDraft } from './composer/draft.ts'

beforeEach(() => {
  localStorage.clear()
  navigate(chatPath(null))
})

const draft = (text: string) => ({ text, pastes: [] })

/** Opens a new chat whose first message was just sent. */
function begin() {
  const chat = openChat(null)
  chat.store.setState({ phase: 'ready' })
  return chat
}

describe('a message that was stored', () => {
  it('takes its draft along, and its chat gets an address of its own', () => {
    keepDraft(null, draft('Hello'))
    acknowledge(begin(), null)('c1', 'Hello')
    expect(readDraft(null).text).toBe('')
    expect(currentRoute()).toMatchObject({ name: 'chat', chatId: 'c1' })
  })

  it('leaves what is written by now', () => {
    keepDraft('c1', draft('And then?'))
    acknowledge(begin(), 'c1')('c1', 'Hello')
    expect(readDraft('c1').text).toBe('And then?')
  })

  it('leaves whoever began another chat meanwhile in that one', () => {
    const chat = begin()
    begin()
    acknowledge(chat, null)('c1', 'Hello')
    expect(currentRoute()).toMatchObject({ name: 'chat', chatId: null })
  })
})
