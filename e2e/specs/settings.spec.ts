import { addAccount, ADMIN, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { SETTINGS_PAGES, SettingsPage } from '../pages/settings-page.ts'
import { SignInPage } from '../pages/sign-in-page.ts'

test('every page has an address of its own, and the way back leads to the chat', async ({
  chat,
  settings,
}) => {
  await chat.open()
  await chat.ask('/echo come back here')
  const path = chat.path()
  await chat.page.keyboard.press('Control+,')
  for (const title of [
    'Account',
    'Appearance',
    'Connections',
    'Keys for scripts and apps',
    'Gateway',
    'About',
  ]) {
    await settings.goTo(title)
    await expect(settings.heading).toHaveText(title)
  }
  await settings.backLink.click()
  await expect(chat.answers.last()).toContainText('come back here')
  expect(chat.path()).toBe(path)
})

test('the search finds a setting by its name and leads to its page', async ({ settings }) => {
  await settings.open('account')
  await settings.searchBox.fill('text size')
  await settings.pages.getByRole('link', { name: 'Text size' }).click()
  await expect(settings.heading).toHaveText('Appearance')
  await settings.searchBox.fill('no such thing')
  await expect(settings.page.getByText('No settings match.')).toBeVisible()
})

test('administrators find the pages by topic, and a topic unfolds by mouse, by keys and on arrival', async ({
  settings,
}) => {
  await settings.open('account')
  const topic = (name: string) => settings.pages.getByRole('button', { name })
  const link = (name: string) => settings.pages.getByRole('link', { name, exact: true })
  await expect(settings.pages.getByRole('button')).toHaveText([
    /^Personal/,
    /^Models and tools/,
    /^People and access/,
    /^System/,
    /^Activity and API/,
  ])
  await expect(link('Appearance')).toBeVisible()
  await expect(link('Permissions')).toBeHidden()
  await expectAccessible(settings.page, BOTH_SCHEMES)
  await topic('People and access').click()
  await link('Permissions').click()
  await expect(settings.heading).toHaveText('Permissions')
  await topic('People and access').press('Enter')
  await expect(link('Permissions')).toBeHidden()
  await settings.searchBox.fill('Request log')
  await link('Request log').click()
  await settings.searchBox.fill('')
  await expect(link('Request log')).toHaveAttribute('aria-current', 'page')
  await expect(topic('Activity and API')).toHaveAttribute('aria-expanded', 'true')
  await expect(link('Appearance')).toBeVisible()
  await topic('Personal').click()
  await expect(link('Appearance')).toBeHidden()
  await settings.page.reload()
  await expect(link('Request log')).toBeVisible()
  await expect(link('Appearance')).toBeHidden()
})

test('members see no page for administrators', async ({ page, gateway }) => {
  await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'user'))
  const settings = new SettingsPage(page, gateway.url)
  for (const name of SETTINGS_PAGES) {
    await settings.open(name)
    await expect(settings.pages.getByRole('link')).toHaveText([
      'Account',
      'Appearance',
      'Voice',
      'Memories',
      'Keys for scripts and apps',
      'Import and export',
      'Time machine',
      'About',
    ])
  }
})

test('the name is changed and shown everywhere', async ({ settings, chat }) => {
  await settings.open('account')
  await settings.page.getByLabel('Name', { exact: true }).fill('Grace Renamed')
  await settings.page.getByRole('button', { name: 'Save' }).click()
  await expect(settings.note('Saved')).toBeVisible()
  await chat.open()
  await expect(chat.page.getByRole('button', { name: 'Grace Renamed: account menu' })).toBeVisible()
})

test('a changed password ends other sessions, and only the new one signs in', async ({
  settings,
  browser,
  gateway,
  account,
}) => {
  const elsewhere = await browser.newContext()
  await settleIn(elsewhere, gateway, account)
  await settings.open('account')
  const current = settings.page.getByLabel('Current password')
  await current.fill('not the password')
  await settings.page.getByLabel('New password').fill('ten other words')
  await settings.page.getByRole('button', { name: 'Change password' }).click()
  await expect(settings.page.getByRole('alert')).not.toBeEmpty()
  await current.fill(account.password)
  await settings.page.getByRole('button', { name: 'Change password' }).click()
  await expect(settings.note('Password changed.')).toBeVisible()
  expect((await elsewhere.request.get(`${gateway.url}/api/v1/auths/`)).status()).toBe(401)
  await elsewhere.close()
  await settings.page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  const gate = new SignInPage(settings.page)
  await gate.signIn(account)
  await expect(gate.problem).not.toBeEmpty()
  await gate.passwordBox.fill('ten other words')
  await gate.signInButton.click()
  await expect(settings.heading).toHaveText('Account')
})

test('theme, density, width and text size show at once and follow the account to another browser', async ({
  settings,
  browser,
  gateway,
  account,
}) => {
  await settings.open('appearance')
  const root = settings.page.locator('html')
  const size = () => settings.page.evaluate(() => getComputedStyle(document.body).fontSize)
  const before = Number.parseFloat(await size())
  await settings.choice('Theme', 'Dark').check()
  await settings.choice('Density', 'Compact').check()
  await settings.choice('Conversation width', 'Wide').check()
  await settings.page.getByLabel('Text size').selectOption('150%')
  await expect(root).toHaveAttribute('data-theme', 'dark')
  await expect(root).toHaveAttribute('data-density', 'compact')
  await expect.poll(async () => Number.parseFloat(await size())).toBeGreaterThan(before * 1.3)
  await expect
    .poll(async () =>
      (await settings.page.request.get(`${gateway.url}/api/v1/users/user/settings`)).text(),
    )
    .toContain('"textScale":150')
  const elsewhere = await browser.newContext()
  await settleElsewhere(elsewhere)
  const page = await elsewhere.newPage()
  await page.goto(gateway.url)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
  await elsewhere.close()

  async function settleElsewhere(context: typeof elsewhere): Promise<void> {
    const { email, password } = account
    await context.request.post(`${gateway.url}/api/v1/auths/signin`, { data: { email, password } })
  }
})

test('“System” follows the system, also while the window is open', async ({ settings }) => {
  await settings.open('appearance')
  await expect(settings.choice('Theme', 'System')).toBeChecked()
  await settings.page.emulateMedia({ colorScheme: 'dark' })
  await expect(settings.page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await settings.page.emulateMedia({ colorScheme: 'light' })
  await expect(settings.page.locator('html')).toHaveAttribute('data-theme', 'light')
})

test('with a width of 640 the column of the conversation is narrower', async ({
  chat,
  settings,
}) => {
  await settings.open('appearance')
  await settings.choice('Conversation width', 'Narrow').check()
  await settings.backLink.click()
  const answer = await chat.ask('/long 300')
  const box = await answer.getByText('word1 ').boundingBox()
  expect(box!.width).toBeLessThanOrEqual(640)
})

test('keys are named, shown once, work for a script and stop working when they are revoked', async ({
  settings,
  gateway,
}) => {
  await settings.open('keys')
  await expect(settings.page.getByText('No keys yet')).toBeVisible()
  const secret = await settings.createKey('My script')
  expect(secret).toMatch(/^sk-[\w-]{20,}$/)
  const models = () =>
    fetch(`${gateway.url}/api/models`, { headers: { Authorization: `Bearer ${secret}` } })
  expect((await models()).status).toBe(200)
  await settings.page.reload()
  await expect(settings.key('My script')).toContainText('last used')
  expect(await settings.page.content()).not.toContain(secret)
  await settings.page.getByRole('button', { name: 'Revoke “My script”' }).click()
  await settings.page
    .getByRole('dialog', { name: 'Revoke “My script”?' })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await expect(settings.key('My script')).toHaveCount(0)
  expect((await models()).status).toBe(401)
  expect(gateway.log()).not.toContain(secret)
})

test('a key is copied from the dialog that shows it', async ({ settings, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await settings.open('keys')
  await settings.keyName.fill('Copied')
  await settings.keyName.press('Enter')
  const secret = await settings.newKeyDialog.locator('code').innerText()
  await settings.newKeyDialog.getByRole('button', { name: 'Copy key' }).click()
  await expect(settings.newKeyDialog.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await settings.page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
})

test('a key is limited where that is switched on, and its limits stand in the list', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({ ENABLE_API_KEY_LIMITS: 'true' })
  await settleIn(page.context(), gateway, ADMIN)
  const settings = new SettingsPage(page, gateway.url)
  await settings.open('keys')
  await page.getByText('Limits', { exact: true }).click()
  await page.getByLabel('Expires').selectOption('After 30 days')
  await page.getByLabel('Calls per day').fill('20')
  await page.getByLabel('Only these models').fill('text')
  await settings.createKey('Limited')
  await expect(settings.key('Limited')).toContainText('0 of 20 calls today')
  await expect(settings.key('Limited')).toContainText('Only models: text')
  await expect(settings.key('Limited')).toContainText('expires')
})

test('other sign-ins are listed and ended', async ({ settings, browser, gateway, account }) => {
  const elsewhere = await browser.newContext()
  await settleIn(elsewhere, gateway, account)
  await settings.open('account')
  const sessions = settings.page.getByRole('listitem').filter({ hasText: '127.0.0.1' })
  await expect(sessions.filter({ hasText: 'this window' })).toHaveCount(1)
  const before = await sessions.count()
  await settings.page.getByRole('button', { name: 'End the session in' }).first().click()
  await expect(sessions).toHaveCount(before - 1)
  await settings.page.getByRole('button', { name: 'End all others' }).click()
  await expect(sessions).toHaveCount(1)
  expect((await elsewhere.request.get(`${gateway.url}/api/v1/auths/`)).status()).toBe(401)
  await elsewhere.close()
})

test('a setting that holds JSON is checked before it is sent', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const settings = new SettingsPage(page, gateway.url)
  await settings.open('gateway')
  await settings.settingSearch.fill('MODEL_PRICES')
  const row = settings.setting('MODEL_PRICES')
  await row.getByRole('textbox').fill('{ "text": ')
  await row.getByRole('button', { name: 'Save' }).click()
  await expect(row.getByRole('alert').first()).toContainText('This is not valid JSON')
})

test('where keys are switched off an administrator switches them on, and a member learns who can', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({ ENABLE_API_KEYS: '' })
  const settings = new SettingsPage(page, gateway.url)
  await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'user'))
  await settings.open('keys')
  await expect(page.getByText('Ask an administrator to turn them on.')).toBeVisible()
  await expect(settings.createKeyButton).toBeDisabled()
  await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'admin'))
  await settings.open('keys')
  await page.getByRole('button', { name: 'Turn on API keys' }).click()
  expect(await settings.createKey('First key')).toMatch(/^sk-/)
})

test('each gateway setting says where its value comes from, and a change can be taken back', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({ JWT_EXPIRES_IN: '2w' })
  await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'admin'))
  const settings = new SettingsPage(page, gateway.url)
  await settings.open('gateway')
  await settings.settingSearch.fill('JWT_EXPIRES_IN')
  const fixed = settings.setting('JWT_EXPIRES_IN')
  await expect(fixed).toContainText('environment')
  await expect(fixed.getByRole('textbox')).toHaveValue('2w')
  await settings.settingSearch.fill('DEFAULT_USER_ROLE')
  const role = settings.setting('DEFAULT_USER_ROLE')
  await expect(role).toContainText('default')
  await expect(role.getByRole('combobox').getByRole('option')).toHaveText([
    'Pending',
    'Member',
    'Administrator',
  ])
  await role.getByRole('combobox').selectOption('user')
  await role.getByRole('button', { name: 'Save' }).click()
  await expect(role).toContainText('changed here')
  await settings.settingSearch.fill('SHOW_ADMIN_DETAILS')
  const details = settings.setting('SHOW_ADMIN_DETAILS')
  await details.getByRole('switch').click()
  await expect(details).toContainText('changed here')
  await details.getByRole('button', { name: 'Reset Show who to contact for approval' }).click()
  await expect(details).toContainText('default')
})

test('a setting that cannot be is refused at its place', async ({ page, startOwnGateway }) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'admin'))
  const settings = new SettingsPage(page, gateway.url)
  await settings.open('gateway')
  await settings.settingSearch.fill('JWT_EXPIRES_IN')
  const row = settings.setting('JWT_EXPIRES_IN')
  await row.getByRole('textbox').fill('a while')
  await row.getByRole('button', { name: 'Save' }).click()
  await expect(row.getByRole('alert')).toContainText('a duration such as')
  await row.getByRole('textbox').fill('12h')
  await row.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('changed here')
})

test('about tells version, licence, address, telemetry and shortcuts', async ({
  settings,
  gateway,
}) => {
  await settings.open('about')
  const main = settings.page.getByRole('main')
  await expect(main.getByRole('term')).toContainText([
    'Version',
    'API version',
    'Address',
    'Licence',
    'Telemetry',
  ])
  await expect(main.getByRole('definition').filter({ hasText: gateway.url })).toBeVisible()
  await expect(main.getByRole('definition').filter({ hasText: 'MIT' })).toBeVisible()
  await expect(main.getByText('Command palette')).toBeVisible()
})

test('each page says for whom its settings count', async ({ page, gateway }) => {
  await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'admin'))
  const settings = new SettingsPage(page, gateway.url)
  for (const [name, scope] of [
    ['account', 'only for you'],
    ['voice', 'only on this device'],
    ['speech', 'for everyone'],
  ] as const) {
    await settings.open(name)
    await expect(page.getByRole('main').getByText(scope, { exact: true })).toBeVisible()
    await expectAccessible(page, BOTH_SCHEMES)
  }
})

test('the own voice and the engines for everyone are apart, and one leads to the other', async ({
  page,
  gateway,
}) => {
  await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'admin'))
  const settings = new SettingsPage(page, gateway.url)
  await settings.open('voice')
  await expect(page.getByRole('heading', { name: 'Engine that speaks' })).toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'Speech' }).click()
  await expect(page.getByRole('heading', { name: 'Engine that speaks' })).toBeVisible()
})

test('settings are found by what people call them', async ({ page, gateway }) => {
  await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'admin'))
  const settings = new SettingsPage(page, gateway.url)
  await settings.open('account')
  for (const [words, found] of [
    ['dark mode', 'Theme'],
    ['password forgotten', 'Reset password'],
    ['mcp', 'Tools'],
  ] as const) {
    await settings.searchBox.fill(words)
    await expect(settings.pages.getByRole('link', { name: found, exact: true })).toBeVisible()
  }
  await settings.pages.getByRole('link', { name: 'Tools', exact: true }).click()
  await expect(page).toHaveURL(`${gateway.url}/workspace/tools`)
})
