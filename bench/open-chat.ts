import type { BrowserContext, Page } from '@playwright/test'
import { type BenchResult, judgeAtMost, median } from './bench-result.ts'
import { openSession, parserScript, startBrowser } from './support/browser.ts'
import { answerText, buildConversation } from './support/conversation.ts'
import { type BenchGateway, startGateway } from './support/gateway.ts'
import { startPacedUpstream } from './support/paced-upstream.ts'

export const goals = ['P19']

const ROUNDS = 7
/** Time after which a chat counts as one that does not open. */
const LONGEST_OPENING = 60_000

interface StoredChat {
  readonly id: string
  readonly lastId: string
}

async function storeChat(
  gateway: BenchGateway,
  title: string,
  length: number,
): Promise<StoredChat> {
  const { chat, lastId } = buildConversation(title, length)
  const { id } = await gateway.call<{ id: string }>('POST', '/api/v1/chats/new', { chat })
  return { id, lastId }
}

/**
 * Opens a window and waits until the list and all lazy parts have loaded, as when a user is about
 * to click.
 */
async function openWindow(context: BrowserContext, gateway: BenchGateway): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${gateway.port}/`)
  await page.locator('[data-chat-id]').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(500)
  return page
}

/** Measures from the click in the list to two frames after the last message is in the page. */
const timeOpening = (page: Page, chat: StoredChat): Promise<number> =>
  page.evaluate(
    ({ id, lastId, longest }) =>
      new Promise<number>((resolve, reject) => {
        const begun = performance.now()
        const look = (): void => {
          if (performance.now() - begun > longest)
            return reject(new Error('The last message of the chat did not appear.'))
          const isThere = document.querySelector(
            `[data-message-id="${lastId}"] .markdown`,
          )?.textContent
          requestAnimationFrame(() =>
            isThere ? requestAnimationFrame(() => resolve(performance.now() - begun)) : look(),
          )
        }
        document.querySelector<HTMLElement>(`a[data-chat-id="${id}"]`)!.click()
        look()
      }),
    { ...chat, longest: LONGEST_OPENING },
  )

/**
 * The baseline: a bare page that draws the last thirty texts with the parser alone, and two frames.
 */
async function timeLastThirty(context: BrowserContext, texts: readonly string[]): Promise<number> {
  const page = await context.newPage()
  await page.setContent('<main></main>')
  await page.addScriptTag({ path: parserScript() })
  const milliseconds = await page.evaluate(
    (all) =>
      new Promise<number>((resolve) => {
        const { marked } = globalThis as unknown as { marked: { parse(text: string): string } }
        const begun = performance.now()
        for (const text of all) {
          const article = document.createElement('article')
          article.innerHTML = marked.parse(text)
          document.querySelector('main')!.append(article)
        }
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begun)))
      }),
    texts,
  )
  await page.close()
  return milliseconds
}

/**
 * P19: measures opening a chat of 1,000 and of 10,000 messages, from the click to the paint, each
 * in a new window.
 */
export async function run(): Promise<BenchResult> {
  const upstream = await startPacedUpstream([], 1)
  const gateway = await startGateway(upstream.port, 0, {
    environment: { CHAT_SAVE_MAX_MESSAGES: '10000' },
  })
  const browser = await startBrowser()
  try {
    const thousand = await storeChat(gateway, 'thousand', 1000)
    const tenThousand = await storeChat(gateway, 'ten-thousand', 10_000)
    const context = await openSession(browser, gateway)
    const texts = Array.from({ length: 30 }, (_, index) => answerText(index))
    const [small, large, floor]: [number[], number[], number[]] = [[], [], []]
    const inWindow = async (measure: (page: Page) => Promise<number>): Promise<number> => {
      const page = await openWindow(context, gateway)
      const milliseconds = await measure(page)
      await page.close()
      return milliseconds
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      small.push(await inWindow((page) => timeOpening(page, thousand)))
      large.push(await inWindow((page) => timeOpening(page, tenThousand)))
      floor.push(await timeLastThirty(context, texts))
    }
    return toResult(median(small), median(large), median(floor))
  } finally {
    await browser.close()
    await gateway.stop()
    upstream.close()
  }
}

function toResult(small: number, large: number, floor: number): BenchResult {
  return {
    goal: 'P19',
    rows: [
      {
        name: 'open 1,000 messages, click to painted',
        value: small,
        unit: 'ms',
        hold: 200,
        moonshot: 100,
        reached: judgeAtMost(small, { hold: 200, moonshot: 100 }),
      },
      {
        name: 'the same against the last-30 floor',
        value: small / floor,
        unit: 'x',
        moonshot: 3,
        reached: small / floor <= 3 ? 'moonshot' : 'shown',
      },
      {
        name: '10,000 messages against 1,000',
        value: large / small,
        unit: 'x',
        hold: 1.3,
        reached: large / small <= 1.3 ? 'hold' : 'missed',
      },
      { name: 'floor: thirty messages in a bare page', value: floor, unit: 'ms', reached: 'shown' },
    ],
  }
}
