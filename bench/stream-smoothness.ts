import type { BrowserContext, CDPSession, Page } from '@playwright/test'
import { type BenchResult, judgeAtMost, median } from './bench-result.ts'
import { openSession, parserScript, startBrowser } from './support/browser.ts'
import { answerPieces, answerText, buildConversation } from './support/conversation.ts'
import { type BenchGateway, startGateway } from './support/gateway.ts'
import { startPacedUpstream } from './support/paced-upstream.ts'

export const goals = ['P20']

const ROUNDS = 2
const TOKENS = 6000
const PER_SECOND = 200
const IDEAL_SECONDS = TOKENS / PER_SECOND
const LATE_MILLISECONDS = 25
const BEFORE = 1000

/** Figures of drawing one answer. */
interface Drawing {
  readonly seconds: number
  /** Share of frames that were late. */
  readonly late: number
  /** Share of the time the main thread was busy. */
  readonly busy: number
}

/**
 * Counts frames in the page from now on; `stop` returns how many there were and how many were late.
 */
async function countFrames(
  page: Page,
): Promise<{ stop(): Promise<{ frames: number; late: number }> }> {
  const counter = await page.evaluateHandle((limit) => {
    const found = { frames: 0, late: 0, isOn: true }
    let last = performance.now()
    const next = (now: number): void => {
      found.frames += 1
      if (now - last > limit) found.late += 1
      last = now
      if (found.isOn) requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
    return found
  }, LATE_MILLISECONDS)
  return {
    stop: () =>
      counter.evaluate((found) => {
        found.isOn = false
        return { frames: found.frames, late: found.late }
      }),
  }
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find((metric) => metric.name === 'TaskDuration')!.value
}

/** Measures from the first text until `finished` settles. */
async function measure(
  page: Page,
  started: () => Promise<void>,
  finished: () => Promise<void>,
): Promise<Drawing> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await started()
  const counter = await countFrames(page)
  const [begun, taskBegun] = [performance.now(), await taskSeconds(session)]
  await finished()
  const seconds = (performance.now() - begun) / 1000
  const worked = (await taskSeconds(session)) - taskBegun
  const { frames, late } = await counter.stop()
  return { seconds, late: late / frames, busy: worked / seconds }
}

/**
 * Measures the product: a chat of 1,000 messages, one more question, its answer over the socket.
 */
async function drawInProduct(
  context: BrowserContext,
  gateway: BenchGateway,
  chatId: string,
): Promise<Drawing> {
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${gateway.port}/c/${chatId}`)
  const box = page.getByRole('textbox', { name: 'Message', exact: true })
  await box.waitFor()
  await page.locator('article').first().waitFor()
  await page.waitForTimeout(1000)
  const stop = page.getByRole('button', { name: 'Stop', exact: true })
  const drawing = await measure(
    page,
    async () => {
      await box.fill('Tell me everything.')
      await box.press('Enter')
      await page.locator('article:last-of-type .markdown').filter({ hasText: 'Part 1' }).waitFor()
    },
    () => stop.waitFor({ state: 'detached', timeout: IDEAL_SECONDS * 3000 }),
  )
  await page.close()
  return drawing
}

/**
 * Measures the baseline: the same text in a bare page, once per frame, with only the unfinished
 * block redrawn.
 */
async function drawTail(
  context: BrowserContext,
  pieces: readonly string[],
  older: readonly string[],
): Promise<Drawing> {
  const page = await context.newPage()
  await page.setContent(
    '<style>article{content-visibility:auto;contain-intrinsic-size:auto 150px}body{font:16px/26px sans-serif}</style><main></main>',
  )
  await page.addScriptTag({ path: parserScript() })
  await page.evaluate((texts) => {
    const { marked } = globalThis as unknown as { marked: { parse(text: string): string } }
    for (const text of texts) {
      const article = document.createElement('article')
      article.innerHTML = marked.parse(text)
      document.querySelector('main')!.append(article)
    }
  }, older)
  let finish = (): void => undefined
  const isFinished = new Promise<void>((resolve) => (finish = resolve))
  await page.exposeFunction('finish', () => finish())
  const drawing = await measure(
    page,
    () => page.evaluate(playTail, { pieces: [...pieces], perSecond: PER_SECOND }),
    () => isFinished,
  )
  await page.close()
  return drawing
}

/** Runs in the page. */
function playTail({ pieces, perSecond }: { pieces: string[]; perSecond: number }): void {
  const { marked, finish } = globalThis as unknown as {
    marked: { parse(text: string): string }
    finish: () => void
  }
  const article = document.createElement('article')
  document.querySelector('main')!.append(article)
  const begun = performance.now()
  let [taken, settled, tail] = [0, 0, '']
  let block: HTMLElement | null = null
  const draw = (): void => {
    const due = Math.min(
      pieces.length,
      Math.floor(((performance.now() - begun) / 1000) * perSecond),
    )
    tail += pieces.slice(taken, due).join('')
    taken = due
    for (let end = tail.indexOf('\n\n'); end >= 0; end = tail.indexOf('\n\n')) {
      block ??= article.appendChild(document.createElement('div'))
      block.innerHTML = marked.parse(tail.slice(0, end))
      tail = tail.slice(end + 2)
      settled += 1
      block = null
    }
    if (tail) {
      block ??= article.appendChild(document.createElement('div'))
      block.innerHTML = marked.parse(tail)
    }
    document.scrollingElement!.scrollTop = document.scrollingElement!.scrollHeight
    if (taken < pieces.length) requestAnimationFrame(draw)
    else finish()
  }
  requestAnimationFrame(draw)
}

/** P20: streams 6,000 tokens at 200 a second after 1,000 messages. */
export async function run(): Promise<BenchResult> {
  const pieces = answerPieces(TOKENS)
  const upstream = await startPacedUpstream(pieces, PER_SECOND)
  const gateway = await startGateway(upstream.port, 0)
  const browser = await startBrowser()
  try {
    const context = await openSession(browser, gateway)
    const older = Array.from({ length: BEFORE }, (_, index) => answerText(index))
    const [product, floor]: [Drawing[], Drawing[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await gateway.call<{ id: string }>(
        'POST',
        '/api/v1/chats/new',
        buildConversation(`smooth-${round}`, BEFORE),
      )
      product.push(await drawInProduct(context, gateway, id))
      floor.push(await drawTail(context, pieces, older))
    }
    return toResult(product, floor)
  } finally {
    await browser.close()
    await gateway.stop()
    upstream.close()
  }
}

function toResult(product: readonly Drawing[], floor: readonly Drawing[]): BenchResult {
  const wall = median(product.map((each) => each.seconds)) / IDEAL_SECONDS
  const late = median(product.map((each) => each.late)) * 100
  const busy = median(product.map((each) => each.busy))
  const floorBusy = median(floor.map((each) => each.busy))
  return {
    goal: 'P20',
    rows: [
      {
        name: 'time for 6,000 tokens against the ideal',
        value: wall,
        unit: 'x',
        hold: 1.05,
        reached: wall <= 1.05 ? 'hold' : 'missed',
      },
      {
        name: 'late frames',
        value: late,
        unit: '%',
        hold: 10,
        moonshot: 5,
        reached: judgeAtMost(late, { hold: 10, moonshot: 5 }),
      },
      {
        name: 'main thread busy against the tail floor',
        value: busy / floorBusy,
        unit: 'x',
        moonshot: 1.2,
        reached: busy / floorBusy <= 1.2 ? 'moonshot' : 'shown',
      },
      { name: 'main thread busy', value: busy, unit: 'share', reached: 'shown' },
      { name: 'floor: main thread busy', value: floorBusy, unit: 'share', reached: 'shown' },
      {
        name: 'floor: late frames',
        value: median(floor.map((each) => each.late)) * 100,
        unit: '%',
        reached: 'shown',
      },
    ],
  }
}
