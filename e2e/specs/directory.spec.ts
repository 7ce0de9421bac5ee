import { BASE, SEARCHER, startDirectory } from '../../server/testing/start-directory.ts'
import { ADMIN, settleIn } from '../accounts.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { DirectoryPage } from '../pages/directory-page.ts'
import { FirstRunPage } from '../pages/first-run-page.ts'
import { SignInPage } from '../pages/sign-in-page.ts'
import { VIEWS } from '../views.ts'

const GRACE = {
  uid: 'grace',
  password: 'cobol',
  attributes: { mail: 'grace@example.org', displayName: 'Grace Hopper' },
}

test('an administrator sets a directory up, tries it, and people sign in with it', async ({
  page,
  browser,
  startOwnGateway,
}) => {
  const people = await startDirectory({ people: [GRACE] })
  try {
    const gateway = await startOwnGateway({ DEFAULT_USER_ROLE: 'user' })
    await settleIn(page.context(), gateway, ADMIN)
    const settings = new DirectoryPage(page, gateway.url)
    await settings.open()
    await settings.fill({
      'Display name': 'Example University',
      Host: '127.0.0.1',
      Port: String(people.port),
      'Search base': BASE,
      'Account used for searching': SEARCHER.dn,
      'Password of that account': 'wrong',
    })
    await settings.connection.selectOption('Unencrypted')
    await expect(page.getByText('Passwords are sent unencrypted')).toBeVisible()
    await settings.tryButton.click()
    await expect(settings.problem).toContainText('did not take the name or the password')
    await settings.fill({ 'Password of that account': SEARCHER.password })
    await settings.tryButton.click()
    await expect(settings.state.filter({ hasText: '1 person can sign in.' })).toBeVisible()
    await settings.saveButton.click()
    await expect(settings.saveButton).toBeDisabled()
    await expect(page.getByLabel('Password of that account')).toHaveValue('********')
    await settings.enable.click()
    await page.reload()
    await expect(settings.enable).toBeChecked()
    await expect(page.getByLabel('Host')).toHaveValue('127.0.0.1')

    const elsewhere = await (await browser.newContext()).newPage()
    const gate = new SignInPage(elsewhere)
    await elsewhere.goto(gateway.url)
    const signIn = elsewhere.getByRole('button', { name: 'Sign in with Example University' })
    await elsewhere.getByLabel('User name').fill('grace')
    await gate.passwordBox.fill('not hers')
    await signIn.click()
    await expect(gate.problem).toContainText('is incorrect')
    await gate.passwordBox.fill(GRACE.password)
    await signIn.click()
    await expect(new FirstRunPage(elsewhere).skipButton).toBeVisible()
    await elsewhere.context().close()
  } finally {
    await people.close()
  }
})

test('who has a password here reaches the form for it behind that of the directory', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({ ENABLE_LDAP: 'true' })
  const gate = new SignInPage(page)
  await page.goto(gateway.url)
  await page.getByRole('button', { name: 'Sign in with email' }).click()
  await gate.signIn(ADMIN)
  await expect(new FirstRunPage(page).skipButton).toBeVisible()
})

test('a hidden form is shown at /auth?form=true', async ({ page, startOwnGateway }) => {
  const gateway = await startOwnGateway({
    ENABLE_LOGIN_FORM: 'false',
    ENABLE_INITIAL_ADMIN_SIGNUP: 'true',
  })
  const gate = new SignInPage(page)
  await page.goto(gateway.url)
  await expect(page.getByText('is not available here')).toBeVisible()
  await expect(gate.emailBox).toHaveCount(0)
  await page.getByRole('link', { name: 'Sign in as an administrator' }).click()
  await gate.signIn(ADMIN)
  await expect(new FirstRunPage(page).skipButton).toBeVisible()
})

test('where nobody has to sign in, the page opens by itself, and again after signing out', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({ WEBUI_AUTH: 'false' }, { isEmpty: true })
  await page.goto(gateway.url)
  await new FirstRunPage(page).skip()
  await page.goto(`${gateway.url}/settings/account`)
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('No sign-in is needed here.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible()
})

test('where sign-in cannot be switched off, the page says why', async ({
  page,
  startOwnGateway,
}) => {
  // A named account is created before the shared one.
  const gateway = await startOwnGateway({ WEBUI_AUTH: 'false' })
  await page.goto(gateway.url)
  await expect(page.getByRole('alert')).toContainText('There are accounts here already')
  await expectAccessible(page)
})

for (const view of VIEWS) {
  test.describe(`on ${view.name}`, () => {
    test.use({ viewport: { width: view.width, height: 800 } })

    test('the settings and the sign-in page of a directory have no accessibility fault', async ({
      page,
      startOwnGateway,
    }) => {
      const gateway = await startOwnGateway({
        ENABLE_LDAP: 'true',
        LDAP_SERVER_LABEL: 'Example University',
      })
      await page.goto(gateway.url)
      await page.getByLabel('User name').waitFor()
      await expectAccessible(page, view.schemes)
      await settleIn(page.context(), gateway, ADMIN)
      const settings = new DirectoryPage(page, gateway.url)
      await settings.open()
      await settings.connection.selectOption('Unencrypted')
      await expectAccessible(page, view.schemes)
      const field = (await page.getByLabel('Search base').boundingBox())!
      expect(field.x + field.width).toBeLessThanOrEqual(view.width)
    })
  })
}

test('an administrator lets a directory manage accounts, and the token made there opens its address', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  await new DirectoryPage(page, gateway.url).open()
  const address = `${gateway.url}/api/v1/scim/v2`
  await expect(page.getByText(address, { exact: true })).toBeVisible()
  await page.getByRole('switch', { name: 'Let a directory manage accounts and groups' }).click()
  await expect(page.getByText('without a token no one can connect')).toBeVisible()
  await page.getByRole('button', { name: 'Generate' }).click()
  const token = await page.getByLabel('Token', { exact: true }).inputValue()
  await page
    .locator('form')
    .filter({ has: page.getByLabel('Token', { exact: true }) })
    .getByRole('button', { name: 'Save' })
    .click()
  await expect(page.getByText('Anyone with the token can manage every account.')).toBeVisible()
  await expect(page.getByLabel('Token', { exact: true })).toHaveValue('')
  const ask = (key: string) =>
    fetch(`${address}/Users`, { headers: { Authorization: `Bearer ${key}` } })
  expect((await ask(token)).status).toBe(200)
  expect((await ask(`${token}x`)).status).toBe(401)
  await page.reload()
  await expect(page.getByText('Anyone with the token can manage every account.')).toBeVisible()
  expect(await page.content()).not.toContain(token)
})

test('a gateway whose proxy names nobody says so, and its settings tell of the proxy', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({ WEBUI_AUTH_TRUSTED_EMAIL_HEADER: 'Remote-Email' })
  await page.goto(gateway.url)
  await expect(page.getByRole('alert')).toContainText('did not say who you are')
  await expectAccessible(page)
  await page.context().setExtraHTTPHeaders({ 'Remote-Email': ADMIN.email })
  await page.getByRole('button', { name: 'Retry' }).click()
  await new FirstRunPage(page).skip()
  await page.goto(`${gateway.url}/settings/directory`)
  await expect(page.getByText('sends their identity in the header Remote-Email.')).toBeVisible()
  await expectAccessible(page)
  await page.goto(`${gateway.url}/settings/account`)
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('You have signed out.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await expect(page.getByRole('button', { name: 'account menu' })).toBeVisible()
})
