import type { Page } from '@playwright/test'
import { addAccount, ADMIN, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test, type TestGateway } from '../fixtures.ts'
import { AdminPages } from '../pages/admin-pages.ts'
import { SignInPage } from '../pages/sign-in-page.ts'

async function asAdmin(page: Page, gateway: TestGateway): Promise<AdminPages> {
  await settleIn(page.context(), gateway, ADMIN)
  return new AdminPages(page, gateway.url)
}

test('an administrator adds somebody, changes them, resets their password and deletes them', async ({
  page,
  startOwnGateway,
  browser,
}) => {
  const gateway = await startOwnGateway()
  const admin = await asAdmin(page, gateway)
  await admin.open('users')
  const bo = {
    name: 'Bo Chen',
    email: 'bo@example.com',
    password: 'seven old boats',
    role: 'Member',
  }
  await page.getByRole('button', { name: 'Add person' }).click()
  const asking = admin.dialog('Add person')
  await expect(asking).toContainText('no email is sent')
  await expect(asking.getByLabel('Password', { exact: true })).toHaveValue(/^(\w{4}-){3}\w{4}$/)
  await expect(asking.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await admin.addPerson(bo)
  const invitation = admin.invitation('Bo Chen')
  await expect(invitation).toContainText(`Sign in at ${gateway.url}/`)
  await expect(invitation).toContainText('Password: seven old boats')
  await expect(invitation.getByRole('button', { name: 'Let other devices in' })).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await invitation.getByRole('button', { name: 'Copy (only works here)' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('Password: seven old boats')
  await invitation.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('seven old boats')).toHaveCount(0)
  await expect(admin.row('bo@example.com')).toContainText('Member')
  const elsewhere = await browser.newContext()
  await settleIn(elsewhere, gateway, bo)
  await admin.chooseAction('Bo Chen', 'Edit')
  const form = admin.dialog('Edit Bo Chen')
  await form.getByLabel('Name', { exact: true }).fill('Bo Renamed')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(admin.row('Bo Renamed')).toBeVisible()
  await admin.chooseAction('Bo Renamed', 'Reset password')
  const reset = admin.dialog('New password for Bo Renamed')
  await reset.getByRole('button', { name: 'Generate' }).click()
  await expect(reset.getByLabel('Password', { exact: true })).toHaveValue(/^(\w{4}-){3}\w{4}$/)
  await reset.getByRole('button', { name: 'Reset password' }).click()
  await expect(reset).toHaveCount(0)
  expect((await elsewhere.request.get(`${gateway.url}/api/v1/auths/`)).status()).toBe(401)
  await elsewhere.close()
  await admin.chooseAction('Bo Renamed', 'Delete')
  await admin
    .dialog('Delete the account of Bo Renamed?')
    .getByRole('button', { name: 'Delete account' })
    .click()
  await expect(admin.row('Bo Renamed')).toHaveCount(0)
})

test('the list is searched and sorted, and the first administrator cannot be deleted', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  for (const name of ['Zoe Last', 'Cy Middle'])
    await addAccount(gateway, gateway.adminToken, 'user', name)
  const admin = await asAdmin(page, gateway)
  await admin.open('users')
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await expect(page.getByRole('rowheader')).toContainText(['Ada Admin', 'Cy Middle', 'Zoe Last'])
  await admin.userSearch.fill('zoe')
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await admin.userSearch.fill('nobody at all')
  await expect(page.getByText('No results')).toBeVisible()
  await admin.userSearch.fill('ada')
  await page.getByRole('button', { name: 'Actions for Ada Admin' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeDisabled()
  await expect(page.getByRole('menu')).toContainText(
    'The first administrator’s role and account are protected',
  )
})

test('somebody who waits reads what the administrator wrote and comes in after the approval', async ({
  page,
  startOwnGateway,
  browser,
}) => {
  const gateway = await startOwnGateway()
  const cy = await addAccount(gateway, gateway.adminToken, 'pending', 'Cy Waiting')
  const admin = await asAdmin(page, gateway)
  await admin.open('announcements')
  const waiting = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Page for pending accounts' }) })
  await waiting.getByLabel('Title').fill('Almost there')
  await waiting.getByLabel('Text').fill('Come by **room 12**.')
  await expect(waiting.getByRole('figure')).toContainText('Almost there')
  await waiting.getByRole('button', { name: 'Save page' }).click()
  await expect(admin.note('Saved')).toBeVisible()
  const elsewhere = await browser.newContext()
  const theirs = await elsewhere.newPage()
  await theirs.goto(gateway.url)
  await new SignInPage(theirs).signIn(cy)
  await expect(theirs.getByRole('heading', { name: 'Almost there' })).toBeVisible()
  await expect(theirs.locator('strong', { hasText: 'room 12' })).toBeVisible()
  await admin.open('users')
  await page.getByRole('button', { name: 'Approve Cy Waiting' }).click()
  await expect(admin.note('Cy Waiting can now use the gateway.')).toBeVisible()
  await theirs.getByRole('button', { name: 'Check again' }).click()
  await expect(theirs.getByRole('heading', { name: 'Almost there' })).toHaveCount(0)
  await elsewhere.close()
})

test('a group gives its members more than everybody has, and shows which is which', async ({
  page,
  startOwnGateway,
  context,
}) => {
  const gateway = await startOwnGateway()
  const dana = await addAccount(gateway, gateway.adminToken, 'user', 'Dana Member')
  const admin = await asAdmin(page, gateway)
  await admin.open('groups')
  await admin.createGroup('Research')
  await admin.addMember('Dana Member')
  await expect(page.getByRole('listitem').filter({ hasText: 'Dana Member' })).toBeVisible()
  await expect(admin.permission('Delete chats')).toBeDisabled()
  await admin.permission('Create models').click()
  await expect(admin.permission('Create models')).toBeChecked()
  await page.getByRole('button', { name: 'All groups' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Research' })).toContainText(
    '1 member · adds 1 permission',
  )
  await context.clearCookies()
  await settleIn(context, gateway, dana)
  const permissions = await (
    await context.request.get(`${gateway.url}/api/v1/users/permissions`)
  ).json()
  expect(permissions).toMatchObject({ workspace: { models: true, prompts: false } })
})

test('what everybody may do is changed in one place', async ({ page, startOwnGateway }) => {
  const gateway = await startOwnGateway()
  const admin = await asAdmin(page, gateway)
  await admin.open('permissions')
  await expect(admin.permission('Write notes')).toHaveAccessibleDescription(
    'Write notes and attach them to chats.',
  )
  const help = page.getByRole('main').getByRole('listitem').locator('p')
  await expect(help).toHaveCount(await page.getByRole('switch').count())
  for (const text of await help.allTextContents()) expect(text).toMatch(/^[A-Z].{10,}\.$/)
  await expectAccessible(page, BOTH_SCHEMES)
  await page.getByRole('searchbox', { name: 'Search permissions' }).fill('no such thing')
  await expect(page.getByText('No permissions match.')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search permissions' }).fill('search web')
  const row = admin.permission('Search the web')
  await expect(row).toBeChecked()
  await row.click()
  await expect(row).not.toBeChecked()
  await page.reload()
  await expect(row).not.toBeChecked()
})

test('an invitation names the address that others can open', async ({ page, startOwnGateway }) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const reply = await fetch(`${gateway.url}/api/v1/settings`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${gateway.adminToken}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ values: { WEBUI_URL: 'https://chat.example.org' } }),
  })
  expect(reply.status).toBe(200)
  const admin = new AdminPages(page, gateway.url)
  await admin.open('users')
  await admin.addPerson({
    name: 'Bo Chen',
    email: 'bo@example.com',
    password: 'seven old boats',
    role: 'Member',
  })
  const invitation = admin.invitation('Bo Chen')
  await expect(invitation).toContainText('Sign in at https://chat.example.org')
  await expect(invitation).not.toContainText('127.0.0.1')
  await expect(invitation).not.toContainText('cannot open this gateway')
})
