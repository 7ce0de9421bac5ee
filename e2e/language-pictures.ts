import type { Browser, Page } from '@playwright/test'
import { readStrings } from '../renderer/vite-languages.ts'
import type { Account } from './accounts.ts'
import { signIn } from './accounts.ts'
import type { RunningGateway } from './start-gateway.ts'

/** One right-to-left language, one without spaces, and two with long words. */
const LANGUAGES = ['ar', 'zh-CN', 'es', 'pt-BR'] as const

const PLACES = [
  'settings/account',
  'settings/appearance',
  'settings/voice',
  'settings/connections',
  'settings/gateway',
  'settings/documents',
  'settings/users',
  'settings/permissions',
  'settings/requests',
  'settings/about',
  'workspace/models',
  'workspace/tools',
  'workspace/knowledge',
  'workspace/prompts',
  'workspace/notes',
  'starred',
  'trash',
] as const

interface Situation {
  readonly browser: Browser
  readonly gateway: RunningGateway
  readonly account: Account
  /** Path of one of the account's conversations. */
  readonly chatPath: string
  readonly take: (page: Page, name: string) => Promise<void>
}

type Tree = Readonly<Record<string, unknown>>

/** Returns the text of a key, by which elements are found in another language. */
function textOf(language: string, file: string, ...keys: string[]): string {
  let found: unknown = readStrings(language, file)
  for (const key of keys) found = (found as Tree)[key]
  return String(found)
}

async function takeChats(page: Page, at: Situation, end: string): Promise<void> {
  const { gateway, chatPath, take } = at
  await page.goto(gateway.url)
  await page.locator('textarea').first().waitFor()
  await page.waitForLoadState('networkidle')
  await take(page, `new-chat-${end}`)
  await page.keyboard.press('Control+k')
  await page.getByRole('option').first().waitFor()
  await take(page, `palette-${end}`)
  await page.keyboard.press('Escape')
  await page.goto(gateway.url + chatPath)
  await page.locator('article').last().waitFor()
  await page.waitForLoadState('networkidle')
  await take(page, `conversation-${end}`)
}

async function takeList(page: Page, { take }: Situation, language: string, end: string) {
  const drawer = page.getByRole('button', { name: textOf(language, 'common', 'openSidebar') })
  if (!(await drawer.isVisible())) return
  await drawer.click()
  await page.getByRole('navigation').first().waitFor()
  await take(page, `chat-list-${end}`)
}

async function takePlaces(page: Page, at: Situation, language: string, end: string): Promise<void> {
  const { gateway, take } = at
  for (const place of PLACES) {
    await page.goto(`${gateway.url}/${place}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    if (place === 'settings/requests') await page.getByRole('table').waitFor()
    else await page.waitForLoadState('networkidle')
    await take(page, `${place.replace('/', '-')}-${end}`)
  }
  await page.goto(`${gateway.url}/settings/connections`)
  await page.getByRole('button', { name: textOf(language, 'connections', 'add') }).click()
  await page.getByRole('dialog').waitFor()
  await take(page, `settings-add-connection-${end}`)
}

/** Takes screenshots of the main pages for a user whose browser uses another language. */
export async function takeLanguagePictures(at: Situation): Promise<void> {
  const { browser, gateway, account, take } = at
  for (const language of LANGUAGES)
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ] as const) {
      const end = `light-${width}-${language}`
      const context = await browser.newContext({
        viewport: { width, height },
        locale: language,
        hasTouch: width < 500,
      })
      const page = await context.newPage()
      await page.goto(gateway.url)
      await page.locator('input[name="email"]').waitFor()
      await take(page, `sign-in-${end}`)
      await signIn(context, gateway, account)
      await takeChats(page, at, end)
      await takeList(page, at, language, end)
      await takePlaces(page, at, language, end)
      await context.close()
    }
}
