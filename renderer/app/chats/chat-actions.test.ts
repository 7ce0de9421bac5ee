// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import '../../testing/browser-features.ts'
import { currentRoute, navigate } from '../../lib/router.ts'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { sampleChat } from '../../testing/samples.ts'
import { chatActions } from './chat-actions.ts'
import { chatsStore } from '../stores.ts'

beforeEach(() => navigate('/c/c1'))
afterEach(() => vi.unstubAllGlobals())

it('whoever goes on while a chat is being copied stays there', async () => {
  const copied = Promise.withResolvers<void>()
  fakeGateway({
    'POST /api/v1/chats/c1/clone': async () => {
      await copied.promise
      return sampleChat({ id: 'copy' })
    },
  })
  chatActions.clone(sampleChat())
  navigate('/c/other')
  copied.resolve()
  await vi.waitFor(() => expect(chatsStore.getState().chats.map(({ id }) => id)).toEqual(['copy']))
  await new Promise((resolve) => setTimeout(resolve))
  expect(currentRoute()).toMatchObject({ name: 'chat', chatId: 'other' })
})

it('a copy opens for whoever waits for it', async () => {
  fakeGateway({ 'POST /api/v1/chats/c1/clone': sampleChat({ id: 'copy' }) })
  chatActions.clone(sampleChat())
  await vi.waitFor(() => expect(currentRoute()).toMatchObject({ name: 'chat', chatId: 'copy' }))
})
