import { addAccount, signIn } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { FirstRunPage } from '../pages/first-run-page.ts'

test('the message box has the focus at load, and letters typed anywhere go there', async ({
  chat,
  chatList,
}) => {
  const { page } = chat
  await chat.open()
  await expect(chat.composer).toBeFocused()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(chat.composer).not.toBeFocused()
  await page.keyboard.type('/echo from anywhere')
  await expect(chat.composer).toHaveValue('/echo from anywhere')
  await page.keyboard.press('Enter')
  await chat.finished()
  await chat.answers.last().click()
  await page.keyboard.type('more')
  await expect(chat.composer).toHaveValue('more')
  // After another chat is opened with the mouse, typed letters go to its message box, not to the
  // row of the list.
  await chatList.newChatButton.click()
  await chatList.row('/echo from anywhere').click()
  await expect(chat.composer).toBeFocused()
  // Letters typed in another text box stay there.
  await chatList.searchBox.click()
  await page.keyboard.type('find')
  await expect(chatList.searchBox).toHaveValue('find')
  await expect(chat.composer).toHaveValue('more')
})

test('whoever has chosen a model goes on writing, and no tooltip or ring stays after the mouse', async ({
  chat,
}) => {
  const { page } = chat
  await chat.open()
  await chat.chooseModel('reasoning')
  await expect(chat.composer).toBeFocused()
  const attach = page.getByRole('button', { name: 'Attach', exact: true })
  await attach.click()
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
  await attach.click()
  await page.mouse.click(600, 120)
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.mouse.move(600, 100)
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  const ring = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle)
  expect(await ring()).toBe('none')
  // With the keyboard both are shown.
  await chat.composer.click()
  await page.keyboard.press('Tab')
  await expect(attach).toBeFocused()
  await expect.poll(ring).toBe('solid')
  await expect(page.getByRole('tooltip')).toHaveText('Attach')
})

test('the message box has the focus after signing in and after the guide', async ({
  page,
  gateway,
}) => {
  const person = await addAccount(gateway, gateway.adminToken, 'user')
  await page.goto(gateway.url)
  await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.keyboard.press('Enter')
  const guide = new FirstRunPage(page)
  await guide.nextButton.click()
  await guide.startButton.click()
  await expect(new ChatPage(page, gateway.url).composer).toBeFocused()
})

test('a slash, an at sign and a number sign show what there is, or the way to a first one', async ({
  chat,
}) => {
  const { page } = chat
  await page.setViewportSize({ width: 1280, height: 560 })
  await page.request.post(`${chat.url}/api/v1/files/`, {
    multipart: {
      file: { name: 'focused-plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') },
    },
  })
  await page.request.post(`${chat.url}/api/v1/files/`, {
    multipart: {
      file: { name: 'focused-plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') },
    },
  })
  await chat.open()
  await page.keyboard.type('Look at @reas')
  await page.getByRole('option', { name: /reasoning/ }).click()
  await expect(chat.composer).toHaveValue('Look at ')
  await expect(chat.modelButton).toHaveAccessibleName('Model: reasoning')
  await page.keyboard.type('#')
  const list = page.getByRole('listbox')
  await expect(list.getByRole('option', { name: /focused-plan\.txt/ })).toHaveCount(1)
  const main = (await page.getByRole('main').boundingBox())!
  const shown = (await list.boundingBox())!
  expect(shown.y).toBeGreaterThanOrEqual(main.y)
  expect(shown.y + shown.height).toBeLessThanOrEqual(main.y + main.height)
  await chat.composer.fill('')
  await page.keyboard.type('/')
  await page.getByRole('option', { name: 'Write your first prompt' }).click()
  await expect(page).toHaveURL(/workspace\/prompts/)
})

test('on a touch screen nothing calls the keyboard up', async ({ browser, gateway }) => {
  const context = await browser.newContext({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 780 },
  })
  await signIn(context, gateway, await addAccount(gateway, gateway.adminToken, 'user'))
  const page = await context.newPage()
  await page.goto(gateway.url)
  await new FirstRunPage(page).skip()
  const chat = new ChatPage(page, gateway.url)
  await chat.composer.waitFor()
  await expect(chat.composer).not.toBeFocused()
  await context.close()
})
