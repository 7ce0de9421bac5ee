import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { chromium } from '@playwright/test'
import { ADMIN } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { FirstRunPage } from '../pages/first-run-page.ts'
import { SignInPage } from '../pages/sign-in-page.ts'

/**
 * A name that browsers do not treat as this computer, so that its pages are not a secure context
 * over http.
 */
const NAME = 'gateway.test'

/** Opens a TCP relay to a port that is set later. */
async function openLine() {
  let target = 0
  const line = createServer((socket) => {
    const onward = connect(target, '127.0.0.1')
    for (const each of [socket, onward]) each.on('error', () => undefined)
    socket.pipe(onward).pipe(socket)
  })
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  const { port } = line.address() as AddressInfo
  return {
    url: `http://${NAME}:${port}`,
    leadTo: (to: number) => void (target = to),
    close: () => line.close(),
  }
}

test('a page of plain http from another computer asks, answers and copies', async ({
  startOwnGateway,
}) => {
  test.slow()
  const line = await openLine()
  const gateway = await startOwnGateway()
  const allowed = await fetch(`${gateway.url}/api/v1/settings`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${gateway.adminToken}`,
    },
    body: JSON.stringify({ values: { WEBUI_URL: line.url } }),
  })
  expect(allowed.status).toBe(200)
  line.leadTo(Number(new URL(gateway.url).port))
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'],
    args: [`--host-resolver-rules=MAP ${NAME} 127.0.0.1`, '--no-sandbox'],
  })
  try {
    const page = await browser.newPage({ baseURL: line.url })
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(line.url)
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    expect(await page.evaluate(() => 'clipboard' in navigator)).toBe(false)
    await new SignInPage(page).signIn(ADMIN)
    await new FirstRunPage(page).skip()
    const chat = new ChatPage(page, line.url)
    await chat.ready()
    await chat.send('Say hello')
    await expect(chat.answers.last()).toContainText('hello', { ignoreCase: true })
    await chat.answers.last().hover()
    await chat.answers.last().getByRole('button', { name: 'Copy', exact: true }).click()
    await expect(chat.answers.last().getByRole('button', { name: 'Copied' })).toBeVisible()
    // The copied text can be pasted.
    await chat.composer.focus()
    await page.keyboard.press('Control+V')
    await expect(chat.composer).not.toHaveValue('')
    expect(faults).toEqual([])
  } finally {
    await browser.close()
    line.close()
  }
})
