import { startMcpServer } from '../../server/testing/start-mcp-server.ts'
import { startSignIn } from '../../server/testing/start-sign-in.ts'
import { ADMIN, settleIn } from '../accounts.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'

test('an administrator adds a server with a sign-in, a person signs in, uses it in a chat and signs out', async ({
  page,
  startOwnGateway,
  troubles,
}) => {
  const desk = await startMcpServer([{ name: 'note', description: 'Writes a note' }])
  const signIn = await startSignIn(desk)
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  signIn.memory.addClient({
    client_id: 'gateway',
    client_secret: 'a-long-secret-of-the-gateway',
    redirect_uris: [`${gateway.url}/oauth/clients/mcp:ticket-desk/callback`],
  })
  await page.goto(`${gateway.url}/workspace/tools`)
  await page.getByRole('button', { name: 'Add tool', exact: true }).click()
  await page.getByRole('menuitem', { name: 'A web address or program to share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add tool server' })
  await dialog.getByLabel('Type').selectOption('MCP over HTTP')
  await dialog.getByLabel('Name', { exact: true }).fill('Ticket desk')
  await dialog.getByLabel('Address', { exact: true }).fill(desk.url)
  await dialog
    .getByLabel('Sign-in', { exact: true })
    .selectOption('OAuth 2.1 with a registered client')
  await expect(dialog).toContainText(`${gateway.url}/oauth/clients/mcp:ticket-desk/callback`)
  await dialog.getByLabel('Client ID').fill('gateway')
  await dialog.getByRole('textbox', { name: 'Client secret' }).fill('a-long-secret-of-the-gateway')
  await dialog.getByText('Sign-in details').click()
  await dialog.getByLabel('Scopes').fill('notes')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })

  await page.goto(`${gateway.url}/workspace/tools`)
  const list = page.getByRole('list', { name: 'Servers you sign in to' })
  await expect(list).toContainText('Ticket desk')
  await expectAccessible(page)
  await list.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('input[name="login"]').fill('ada')
  await page.locator('input[name="password"]').fill('anything')
  await page.locator('button[type="submit"]').click()
  await page.locator('button[type="submit"]').click()
  await expect(page).toHaveURL(`${gateway.url}/workspace/tools`)
  await expect(list).toContainText('signed in')
  // The pages of the authorization server load a font, which is not caused by the gateway.
  const foreign = (troubles.foreignRequests as string[]).splice(0)
  expect(foreign.filter((address) => !address.startsWith('https://fonts.'))).toEqual([])

  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await page.getByRole('button', { name: /^Tools: / }).click()
  await page.getByRole('switch', { name: 'Ticket desk' }).click()
  await page.keyboard.press('Escape')
  await expect(await chat.ask('/call ticket-desk_note {"text": "hello"}')).toContainText(
    'nobody said hello',
  )

  await page.goto(`${gateway.url}/workspace/tools`)
  await list.getByRole('button', { name: 'Sign out' }).click()
  await expect(list.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.goto(`${gateway.url}/workspace/tools?error=The+sign-in+was+not+finished.`)
  await expect(page.getByRole('alert')).toContainText('The sign-in was not finished.')
  signIn.close()
  desk.close()
})
