import { addAccount, settleIn, signIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { ADMIN_PAGES, AdminPages } from '../pages/admin-pages.ts'
import { FirstRunPage } from '../pages/first-run-page.ts'
import { SETTINGS_PAGES } from '../pages/settings-page.ts'
import { SignInPage } from '../pages/sign-in-page.ts'

test.use({ reducedMotion: 'no-preference' })

test.describe('there is no accessibility fault', () => {
  test('on the page for signing in, with a problem, and while waiting for approval', async ({
    page,
    gateway,
  }) => {
    const gate = new SignInPage(page)
    await gate.open(gateway.url)
    await expectAccessible(page, BOTH_SCHEMES)
    await gate.signIn({ email: 'nobody@example.com', password: 'wrong' })
    await expect(gate.problem).not.toBeEmpty()
    await expectAccessible(page, BOTH_SCHEMES)
    await gate.signIn(await addAccount(gateway, gateway.adminToken, 'pending'))
    await gate.pendingTitle.waitFor()
    await expectAccessible(page, BOTH_SCHEMES)
  })

  test('on the page for the first account', async ({ page, startOwnGateway }) => {
    const gateway = await startOwnGateway({}, { isEmpty: true })
    const gate = new SignInPage(page)
    await gate.open(gateway.url)
    await expectAccessible(page, BOTH_SCHEMES)
  })

  test('in the first-run guide', async ({ page, gateway, account }) => {
    await signIn(page.context(), gateway, account)
    await page.goto(gateway.url)
    const guide = new FirstRunPage(page)
    await guide.nextButton.waitFor()
    await expectAccessible(page, BOTH_SCHEMES)
    await guide.nextButton.click()
    await page.getByText('Connected', { exact: true }).waitFor()
    await expectAccessible(page, BOTH_SCHEMES)
    await page.getByText('Add a connection', { exact: true }).click()
    await page.getByRole('button', { name: 'Another provider' }).click()
    await expectAccessible(page, BOTH_SCHEMES)
    await page.getByRole('button', { name: 'All programs and providers' }).click()
    await guide.nextButton.click()
    await guide.startButton.waitFor()
    await expectAccessible(page, BOTH_SCHEMES)
  })

  test('in a new chat and in a conversation with everything that can stand in one', async ({
    chat,
  }) => {
    await chat.open()
    await expectAccessible(chat.page, BOTH_SCHEMES)
    await chat.ask('/markdown')
    await expectAccessible(chat.page, BOTH_SCHEMES)
    await chat.ask('/error 503')
    await chat.ask('/reasoning')
    await chat.thought(chat.answers.last()).click()
    await chat.ask('/crumbs ![a cat](https://pictures.example/cat.png)\n\n- [x] done\n\n> quoted')
    await chat.regenerate(chat.answers.last())
    await expect(chat.versions(chat.answers.last())).toBeVisible()
    await expectAccessible(chat.page, BOTH_SCHEMES)
    await chat.startEditing(chat.userMessages.last())
    await expectAccessible(chat.page, BOTH_SCHEMES)
  })

  test('while an answer is written', async ({ chat, chatList }) => {
    await chat.open()
    await chat.sendWithoutEnd()
    await chatList.row('/stall').waitFor()
    await expectAccessible(chat.page, BOTH_SCHEMES)
    await chat.stopButton.click()
  })

  test('in dialogs, menus, search and palette', async ({ chat, chatList }) => {
    await chat.open()
    await chat.ask('/echo something')
    const question = await chat.startDeleting(chat.userMessages.first())
    await expect(question).toContainText('2 messages')
    await expectAccessible(chat.page, BOTH_SCHEMES)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await chat.page.getByRole('button', { name: 'Grace Tester: account menu' }).click()
    await chat.page.getByRole('menu').waitFor()
    await expectAccessible(chat.page, BOTH_SCHEMES)
    await chat.page.keyboard.press('Escape')
    await chat.modelButton.click()
    await chat.page.getByRole('option').first().waitFor()
    await expectAccessible(chat.page, BOTH_SCHEMES)
    await chat.page.keyboard.press('Escape')
    await chatList.searchBox.fill('something')
    await chatList.rows.first().waitFor()
    await expectAccessible(chat.page, BOTH_SCHEMES)
    await chat.page.keyboard.press('Control+k')
    await chat.page.getByRole('option').first().waitFor()
    await expectAccessible(chat.page, BOTH_SCHEMES)
    await chat.page.keyboard.press('Escape')
    await chat.page.keyboard.press('Control+/')
    await chat.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await expectAccessible(chat.page, BOTH_SCHEMES)
  })

  test('in the settings', async ({ settings }) => {
    test.slow()
    for (const name of SETTINGS_PAGES) {
      await settings.open(name)
      await expect(settings.page.getByText('Loading')).toHaveCount(0)
      await expectAccessible(settings.page, BOTH_SCHEMES)
    }
    await settings.open('connections')
    const form = await settings.startAddingConnection()
    await form.showMore()
    await expectAccessible(settings.page, BOTH_SCHEMES)
  })

  test('on the pages of administrators', async ({ chat }) => {
    test.slow()
    const admin = new AdminPages(chat.page, chat.url)
    for (const name of ADMIN_PAGES) {
      await admin.open(name)
      await expect(chat.page.locator('.animate-spin')).toHaveCount(0)
      await expectAccessible(chat.page, BOTH_SCHEMES)
    }
    await admin.operation('Sign-in').click()
    await admin.operation('/api/v1/auths/signin').click()
    await expectAccessible(chat.page, BOTH_SCHEMES)
  })

  test('in a narrow window, with the list open', async ({ chat }) => {
    await chat.page.setViewportSize({ width: 360, height: 740 })
    await chat.open()
    await chat.ask('/markdown')
    await expectAccessible(chat.page, BOTH_SCHEMES)
    await chat.page.getByRole('button', { name: 'Show chat list' }).click()
    await chat.chatList.waitFor()
    await expectAccessible(chat.page, BOTH_SCHEMES)
  })

  test('when the session ended', async ({ chat, context, gateway }) => {
    await chat.open()
    await context.request.post(`${gateway.url}/api/v1/auths/signout`)
    await new SignInPage(chat.page).expiredDialog.waitFor()
    await expectAccessible(chat.page, BOTH_SCHEMES)
  })
})

test('in compact density with large text there is no accessibility fault', async ({
  chat,
  gateway,
  account,
}) => {
  await settleIn(chat.page.context(), gateway, account)
  await chat.page.request.post(`${gateway.url}/api/v1/users/user/settings/update`, {
    data: {
      ui: {
        welcomed: true,
        appearance: { theme: 'light', density: 'compact', textScale: 150, column: '640' },
      },
    },
  })
  await chat.open()
  await chat.ask('/markdown')
  await expectAccessible(chat.page)
})
