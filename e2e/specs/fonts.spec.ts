import { expect, test } from '../fixtures.ts'

const MOST_BYTES = 120_000

test('a page in English is set in the fonts it brings, in at most 120 kB, and nothing moves when they come', async ({
  chat,
}) => {
  const { page } = chat
  const fonts = new Map<string, Promise<{ bytes: number; type: string; caching: string }>>()
  page.on('response', (response) => {
    // Formulas have separate fonts.
    if (response.request().resourceType() !== 'font' || /KaTeX/.test(response.url())) return
    fonts.set(
      response.url(),
      response.body().then((body) => ({
        bytes: body.length,
        type: response.headers()['content-type'] ?? '',
        caching: response.headers()['cache-control'] ?? '',
      })),
    )
  })
  // Late enough that the fallback font is drawn first.
  await page.route(/\.woff2$/, async (route) => {
    await page.locator('h1').first().waitFor()
    await route.continue()
  })
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await chat.open()
  await expect
    .poll(() => page.evaluate(() => document.fonts.check('1rem "Inter Variable"', 'Write')))
    .toBe(true)
  const moved = await page.evaluate(() =>
    (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, each) => sum + each, 0),
  )
  expect(moved, 'what moved when the font came').toBeLessThan(0.02)

  const answer = await chat.ask('/markdown')
  await expect(answer.locator('pre').first()).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  const loaded = await Promise.all(fonts.values())
  expect(loaded.length).toBeGreaterThan(1)
  expect(loaded.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(MOST_BYTES)
  for (const { type, caching } of loaded) {
    expect(type).toBe('font/woff2')
    expect(caching).toContain('immutable')
  }
  const used = await answer
    .locator('pre')
    .first()
    .evaluate((element) => getComputedStyle(element).fontFamily)
  expect(used).toContain('JetBrains Mono Variable')
})
