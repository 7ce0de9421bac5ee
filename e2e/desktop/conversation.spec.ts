import { expect, shareApp, takePicture, test } from './desktop-app.ts'

const sharedApp = shareApp()

test('a chat with the guide streams into the window on a machine without any model', async () => {
  const app = sharedApp()
  const answer = await app.chat.ask('How do I connect a model?')
  await expect(answer).toContainText(/not an AI/i)
  await expect(app.chat.chatList.getByRole('link')).not.toHaveCount(0)
  await takePicture(app.page, 'conversation')
})

test('a chat is still there after the window was reloaded', async () => {
  const app = sharedApp()
  await app.chat.ask('Remember this line.')
  await app.page.reload()
  await expect(app.chat.userMessages.last()).toContainText('Remember this line.')
})
