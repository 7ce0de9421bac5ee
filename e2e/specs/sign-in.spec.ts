import { ADMIN, addAccount, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { FirstRunPage } from '../pages/first-run-page.ts'
import { SettingsPage } from '../pages/settings-page.ts'
import { SignInPage } from '../pages/sign-in-page.ts'

test('the first account becomes administrator, and with no model at all the built-in guide answers', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway(
    { OPENAI_API_BASE_URLS: '', OPENAI_API_KEYS: '' },
    { isEmpty: true },
  )
  const gate = new SignInPage(page)
  await gate.open(gateway.url)
  await expect(page.getByRole('heading', { name: 'Welcome to Chat Gateway' })).toBeVisible()
  await expect(page.getByText('It becomes the administrator')).toBeVisible()
  await gate.signUp(ADMIN)
  await new FirstRunPage(page).skip()
  const chat = new ChatPage(page, gateway.url)
  await chat.ready()
  const answer = await chat.ask('How do I connect a model?')
  await expect(answer).toContainText('not an AI')
  await new SettingsPage(page, gateway.url).open('gateway')
  await expect(page.getByRole('heading', { name: 'Gateway', level: 1 })).toBeVisible()
})

test('a password that is too short is refused at its field and what was typed stays', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({}, { isEmpty: true })
  const gate = new SignInPage(page)
  await gate.open(gateway.url)
  await gate.signUp({ ...ADMIN, password: 'short' })
  await expect(gate.passwordBox).toBeFocused()
  await expect(gate.nameBox).toHaveValue(ADMIN.name)
  await expect(gate.emailBox).toHaveValue(ADMIN.email)
  await expect(gate.createButton).toBeVisible()
})

test('who forgot the password reads whom to ask, and the language can be chosen', async ({
  page,
  gateway,
}) => {
  const gate = new SignInPage(page)
  await gate.open(gateway.url)
  await expect(page.getByText('Any administrator can give you')).toBeHidden()
  await page.getByText('Forgot your password?').click()
  await expect(page.getByText('Any administrator can give you a new password')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Language' })).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
})

test('a password can be shown before it is sent', async ({ page, gateway }) => {
  const gate = new SignInPage(page)
  await gate.open(gateway.url)
  await gate.passwordBox.fill('something')
  await expect(gate.passwordBox).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(gate.passwordBox).toHaveAttribute('type', 'text')
})

test('a wrong password and an unknown account are answered with the same sentence', async ({
  page,
  gateway,
  account,
}) => {
  const gate = new SignInPage(page)
  await gate.open(gateway.url)
  await gate.signIn({ email: account.email, password: 'wrong password' })
  await expect(gate.problem).not.toBeEmpty()
  const sentence = await gate.problem.innerText()
  await gate.open(gateway.url)
  await gate.signIn({ email: 'nobody@example.com', password: 'wrong password' })
  await expect(gate.problem).toHaveText(sentence)
  await expect(gate.emailBox).toHaveValue('nobody@example.com')
})

test('strangers who use up the tries of an account shut out new browsers, not the one that signed in before', async ({
  browser,
  gateway,
  account,
}) => {
  const openFrom = async (address: string): Promise<SignInPage> => {
    const context = await browser.newContext({ extraHTTPHeaders: { 'X-Forwarded-For': address } })
    const gate = new SignInPage(await context.newPage())
    await gate.open(gateway.url)
    return gate
  }
  const known = await openFrom('203.0.113.1')
  await known.signIn(account)
  await expect(known.emailBox).toHaveCount(0)
  const signedInAt = known.page.context()
  await signedInAt.setExtraHTTPHeaders({ 'X-Forwarded-For': '203.0.113.2' })
  await signedInAt.clearCookies({ name: 'token' })
  await known.open(gateway.url)
  for (let index = 0; index < 15; index += 1)
    await fetch(`${gateway.url}/api/v1/auths/signin`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `198.51.100.${index}` },
      body: JSON.stringify({ email: account.email, password: 'a guess' }),
    })
  const stranger = await openFrom('203.0.113.3')
  await stranger.signIn(account)
  await expect(stranger.problem).toContainText('Too many sign-in attempts')
  await known.signIn(account)
  await expect(known.emailBox).toHaveCount(0)
  await Promise.all([known, stranger].map(({ page }) => page.context().close()))
})

test('signing in leads to where the address pointed', async ({ page, gateway, account }) => {
  const gate = new SignInPage(page)
  await settleIn(page.context(), gateway, account)
  await page.context().clearCookies()
  await gate.open(`${gateway.url}/settings/appearance`)
  await gate.signIn(account)
  await expect(page.getByRole('heading', { name: 'Appearance', level: 1 })).toBeVisible()
})

test('who waits for approval sees that, nothing else, and signs in once an administrator agrees', async ({
  page,
  gateway,
}) => {
  const waiting = await addAccount(gateway, gateway.adminToken, 'pending')
  const gate = new SignInPage(page)
  await gate.open(gateway.url)
  await gate.signIn(waiting)
  await expect(gate.pendingTitle).toBeVisible()
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(gate.pendingTitle).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Chats' })).toHaveCount(0)
  await approve(gateway, waiting.email)
  await page.getByRole('button', { name: 'Check again' }).click()
  await gate.signIn(waiting)
  await expect(new FirstRunPage(page).skipButton).toBeVisible()
})

async function approve(gateway: { url: string; adminToken: string }, email: string): Promise<void> {
  const headers = {
    Authorization: `Bearer ${gateway.adminToken}`,
    'Content-Type': 'application/json',
  }
  const found = await fetch(`${gateway.url}/api/v1/users/?query=${encodeURIComponent(email)}`, {
    headers,
  })
  const { users } = (await found.json()) as { users: { id: string }[] }
  const body = JSON.stringify({ role: 'user' })
  const changed = await fetch(`${gateway.url}/api/v1/users/${users[0]!.id}/update`, {
    method: 'POST',
    headers,
    body,
  })
  expect(changed.status).toBe(200)
}

test('where an administrator opened sign-up, a newcomer creates an account and waits', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  const headers = {
    Authorization: `Bearer ${gateway.adminToken}`,
    'Content-Type': 'application/json',
  }
  const opened = await fetch(`${gateway.url}/api/v1/settings`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ values: { ENABLE_SIGNUP: true } }),
  })
  expect(opened.status).toBe(200)
  const gate = new SignInPage(page)
  await gate.open(gateway.url)
  await page.getByRole('button', { name: 'Create one' }).click()
  await gate.signUp({ name: 'New Comer', email: 'new@example.com', password: 'nine little words' })
  await expect(gate.pendingTitle).toBeVisible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(gate.signInButton).toBeVisible()
})

test('signing out in one window ends the other one too', async ({ chat, context, gateway }) => {
  await chat.open()
  const other = new ChatPage(await context.newPage(), gateway.url)
  await other.open()
  await chat.page.getByRole('button', { name: 'Grace Tester: account menu' }).click()
  await chat.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(new SignInPage(chat.page).signInButton).toBeVisible()
  await expect(new SignInPage(other.page).expiredDialog).toBeVisible()
})

test('a session that ends while somebody writes asks again and keeps the draft', async ({
  chat,
  context,
  gateway,
  account,
}) => {
  await chat.open()
  await chat.ask('/echo before')
  await chat.composer.fill('half a thought')
  await context.request.post(`${gateway.url}/api/v1/auths/signout`)
  const gate = new SignInPage(chat.page)
  await expect(gate.expiredDialog).toBeVisible()
  await expect(gate.expiredDialog).toContainText('Your draft has been kept.')
  await expect(gate.emailBox).toHaveValue(account.email)
  await gate.passwordBox.fill(account.password)
  await gate.passwordBox.press('Enter')
  await expect(gate.expiredDialog).toBeHidden()
  await expect(chat.composer).toHaveValue('half a thought')
  await chat.composer.press('Enter')
  await expect(chat.userMessages).toHaveCount(2)
  await chat.finished()
})

test('somebody else signing in over an ended session sees nothing of the first person', async ({
  chat,
  context,
  gateway,
}) => {
  await chat.open()
  await chat.ask('/echo private words of the first person')
  const second = await addAccount(gateway, gateway.adminToken, 'user')
  await context.request.post(`${gateway.url}/api/v1/auths/signout`)
  const gate = new SignInPage(chat.page)
  await gate.expiredDialog.waitFor()
  await gate.emailBox.fill(second.email)
  await gate.passwordBox.fill(second.password)
  await gate.passwordBox.press('Enter')
  await new FirstRunPage(chat.page).skip()
  await expect(chat.composer).toBeVisible()
  await expect(chat.page.getByText('private words of the first person')).toHaveCount(0)
})

test('a window that finds no gateway says so and tries again', async ({ page, gateway }) => {
  await page.goto(gateway.url)
  await page.getByLabel('Email').waitFor()
  await page.route('**/api/config', (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('heading', { name: 'The gateway is not responding' })).toBeVisible()
  await page.unroute('**/api/config')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByLabel('Email')).toBeVisible()
})
