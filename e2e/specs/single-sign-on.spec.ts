import {
  startOpenIdProvider,
  type OpenIdProvider,
} from '../../server/testing/start-open-id-provider.ts'
import { ADMIN, settleIn } from '../accounts.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test as base, type TestGateway } from '../fixtures.ts'
import { FirstRunPage } from '../pages/first-run-page.ts'
import { SignInPage } from '../pages/sign-in-page.ts'
import { SingleSignOnPage } from '../pages/single-sign-on-page.ts'
import { VIEWS } from '../views.ts'

/** Registered once the URL of the gateway is known. */
const CLIENT = { id: 'example', secret: 'the secret of the example' }

interface World {
  readonly gateway: TestGateway
  readonly provider: OpenIdProvider
}

/** A gateway with a provider configured by its environment, unless that is left out. */
const test = base.extend<{
  startWorld: (env?: Record<string, string>, options?: { isKnown?: boolean }) => Promise<World>
}>({
  startWorld: async ({ startOwnGateway }, use) => {
    const started: OpenIdProvider[] = []
    await use(async (env = {}, { isKnown = true } = {}) => {
      const provider = await startOpenIdProvider({ redirectUris: ['http://127.0.0.1/nowhere'] })
      started.push(provider)
      provider.people['ada'] = {
        name: 'Ada Lovelace',
        email: 'ada@example.org',
        email_verified: true,
        groups: ['engines'],
      }
      const known = {
        OAUTH_CLIENT_ID: CLIENT.id,
        OAUTH_CLIENT_SECRET: CLIENT.secret,
        OPENID_PROVIDER_URL: provider.discoveryUrl,
        ENABLE_OAUTH_SIGNUP: 'true',
      }
      const gateway = await startOwnGateway({
        DEFAULT_USER_ROLE: 'user',
        ...(isKnown && known),
        ...env,
      })
      provider.memory.addClient({
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${gateway.url}/oauth/oidc/callback`],
      })
      return { gateway, provider }
    })
    for (const provider of started) await provider.close()
  },
})

test('an administrator sets a provider up, is told what is wrong by a trial, and people sign in with it', async ({
  page,
  browser,
  startWorld,
}) => {
  const { gateway, provider } = await startWorld(
    { ENABLE_OAUTH_PERSISTENT_CONFIG: 'true' },
    { isKnown: false },
  )
  await settleIn(page.context(), gateway, ADMIN)
  const settings = new SingleSignOnPage(page, gateway.url)
  await settings.open()
  await expect(settings.card('oidc')).toContainText('Set up')
  await settings.setUp('oidc')
  await expect(settings.card('oidc')).toContainText(`${gateway.url}/oauth/oidc/callback`)
  await settings.set('OAUTH_CLIENT_ID', CLIENT.id)
  await expect(settings.card('oidc')).toContainText('Still missing:')
  await settings.set('OPENID_PROVIDER_URL', provider.discoveryUrl)
  await settings.set('OAUTH_PROVIDER_NAME', 'Example University')
  await settings.set('OAUTH_CLIENT_SECRET', 'wrong')

  await settings.try('Example University')
  await expect(settings.report).toContainText('The sign-in does not work yet')
  await expect(settings.report).toContainText('OAUTH_CLIENT_SECRET')
  await settings.setUp('oidc')
  await settings.set('OAUTH_CLIENT_SECRET', CLIENT.secret)
  await settings.try('Example University')
  await expect(settings.report).toContainText('The sign-in is refused')
  await expect(settings.report).toContainText('Check:ENABLE_OAUTH_SIGNUP')
  await expect(
    settings.report.getByRole('region', { name: 'Claims from the provider' }),
  ).toContainText('ada@example.org')
  await settings.unfold('Accounts')
  await page.getByRole('switch', { name: 'New accounts through single sign-on' }).click()
  await expect(
    page.getByRole('switch', { name: 'New accounts through single sign-on' }),
  ).toBeChecked()
  await settings.try('Example University')
  await expect(settings.report).toContainText('The sign-in works')
  await expect(settings.report).toContainText('A new account is created')

  const elsewhere = await (await browser.newContext()).newPage()
  await elsewhere.goto(`${gateway.url}/settings/appearance`)
  await elsewhere.getByRole('link', { name: 'Sign in with Example University' }).click()
  await new FirstRunPage(elsewhere).skip()
  await expect(elsewhere).toHaveURL(`${gateway.url}/settings/appearance`)
  await elsewhere.goto(`${gateway.url}/settings/account`)
  await expect(elsewhere.getByText('Remove', { exact: true })).toBeVisible()
  await elsewhere
    .getByRole('button', { name: 'Remove access data from Example University' })
    .click()
  await expect(elsewhere.getByText('Remove', { exact: true })).toHaveCount(0)
  await elsewhere.reload()
  await expect(elsewhere.getByLabel('Name', { exact: true })).toHaveValue('Ada Lovelace')
  await elsewhere.context().close()
})

test('an administrator whom the provider shows a fault goes back and is told what to change', async ({
  page,
  startWorld,
}) => {
  const { gateway } = await startWorld({
    ENABLE_OAUTH_PERSISTENT_CONFIG: 'true',
    ENABLE_OAUTH_SIGNUP: 'false',
  })
  await settleIn(page.context(), gateway, ADMIN)
  const settings = new SingleSignOnPage(page, gateway.url)
  await settings.open()
  await settings.try('SSO')
  await expect(settings.report).toContainText('Check:ENABLE_OAUTH_SIGNUP')
  await settings.setUp('oidc')
  await settings.set('OPENID_REDIRECT_URI', `${gateway.url}/oauth/oidc/calback`)
  await page.getByRole('button', { name: 'Test SSO' }).click()
  await page.waitForURL(({ href }) => !href.startsWith(gateway.url))
  await expect(page.getByText('redirect_uri')).toBeVisible()
  await page.goBack()
  await expect(settings.report).toContainText('Waiting for the provider')
  await expect(settings.report).toContainText('leave OPENID_REDIRECT_URI empty')
})

test('who is refused by the provider is told so on the sign-in page and can sign in otherwise', async ({
  page,
  startWorld,
}) => {
  const { gateway, provider } = await startWorld()
  provider.state.person = ''
  const gate = new SignInPage(page)
  await page.goto(gateway.url)
  await page.getByRole('link', { name: 'Sign in with SSO' }).click()
  await expect(gate.problem.filter({ hasText: 'SSO' })).toBeVisible()
  await expectAccessible(page)
  await gate.signIn(ADMIN)
  await expect(new FirstRunPage(page).skipButton).toBeVisible()
})

test('the page leads straight to the only provider, but not whoever has just signed out', async ({
  page,
  startWorld,
}) => {
  const { gateway } = await startWorld({
    OAUTH_AUTO_REDIRECT: 'true',
    ENABLE_LOGIN_FORM: 'false',
    ENABLE_INITIAL_ADMIN_SIGNUP: 'true',
  })
  await page.goto(gateway.url)
  await new FirstRunPage(page).skip()
  await page.goto(`${gateway.url}/settings/account`)
  await page.route('**/session/end**', (route) =>
    route.fulfill({ body: 'Signed out at the provider.' }),
  )
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await expect(
    page
      .getByText('Signed out at the provider.')
      .or(page.getByRole('link', { name: 'Sign in with SSO' })),
  ).toBeVisible()
  await page.goto(`${gateway.url}/auth?form=true`)
  await expect(new SignInPage(page).emailBox).toBeVisible()
})

for (const view of VIEWS) {
  test.describe(`on ${view.name}`, () => {
    test.use({ viewport: { width: view.width, height: 800 } })

    test('the settings, a trial and the sign-in page have no accessibility fault', async ({
      page,
      startWorld,
    }) => {
      const { gateway } = await startWorld({
        OAUTH_CLIENT_SECRET: 'wrong',
        ENABLE_OAUTH_BACKCHANNEL_LOGOUT: 'true',
      })
      await page.goto(gateway.url)
      await page.getByRole('link', { name: 'Sign in with SSO' }).waitFor()
      await expectAccessible(page, view.schemes)
      await settleIn(page.context(), gateway, ADMIN)
      const settings = new SingleSignOnPage(page, gateway.url)
      await settings.open()
      await expect(
        page.getByText('These settings are fixed when the gateway starts.'),
      ).toBeVisible()
      await settings.try('SSO')
      await settings.setUp('oidc')
      await expectAccessible(page, view.schemes)
      const report = (await settings.report.boundingBox())!
      expect(report.x + report.width).toBeLessThanOrEqual(view.width)
    })
  })
}
