import { expect, takePicture, test } from './desktop-app.ts'

test('a chat with the guide streams into the window on a machine without any model', async ({
  app,
}) => {
  const answer = await app.chat.ask('How do I connect a model?')
  await expect(answer).toContainText(/not an AI/i)
  await expect(app.chat.chatList.getByRole('link')).not.toHaveCount(0)
  await takePicture(app.page, 'conversation')
})

test('a chat is still there after the window was reloaded', async ({ app }) => {
  await app.chat.ask('Remember this line.')
  await app.page.reload()
  await expect(app.chat.userMessages.last()).toContainText('Remember this line.')
})
