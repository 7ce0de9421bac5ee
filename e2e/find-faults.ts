import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

/** Source of the rules, minified because it is loaded into hundreds of documents. */
const RULES = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const OPTIONS = {
  resultTypes: ['violations'],
  runOnly: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  // Menus and popup lists are outside of the landmarks on purpose: they belong to the control that
  // opened them.
  rules: { region: { enabled: false } },
} satisfies axe.RunOptions

export type ColorScheme = 'light' | 'dark'

/** Both color schemes; the last one is the initial scheme of a page. */
export const BOTH_SCHEMES = ['dark', 'light'] as const satisfies readonly ColorScheme[]

/**
 * Waits until a page has received its new size or colours and its observers have drawn once more.
 */
export async function redrawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

/**
 * Waits until no visible element is being animated; during an animation colours are not the final
 * ones.
 */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every(({ effect, playState, timeline }) => {
      const target = effect instanceof KeyframeEffect ? effect.target : null
      const isEndless = effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY
      return (
        playState !== 'running' ||
        // Animations that follow a scroll position do not end.
        !(timeline instanceof DocumentTimeline) ||
        isEndless ||
        target?.checkVisibility({ contentVisibilityAuto: true }) !== true
      )
    }),
  )
}

async function findViolations(page: Page): Promise<axe.Result[]> {
  // Results from frames of other origins are collected in another page, which takes twice as long
  // as the rest.
  if (page.frames().length > 1)
    return (await new AxeBuilder({ page, axeSource: RULES }).options(OPTIONS).analyze()).violations
  // Loading the rules takes longer than running them, and a document keeps them.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(RULES)
  return page.evaluate(async (options) => {
    const loaded = (globalThis as unknown as { axe: typeof axe }).axe
    return (await loaded.run(document, options)).violations
  }, OPTIONS)
}

/**
 * Fails with every accessibility fault of the page in its current state, or in each of the given
 * colour schemes.
 */
export async function expectAccessible(
  page: Page,
  schemes: readonly (ColorScheme | null)[] = [null],
): Promise<void> {
  const found: string[] = []
  for (const scheme of schemes) {
    if (scheme) {
      await page.emulateMedia({ colorScheme: scheme })
      await redrawn(page)
    }
    await settled(page)
    const describe = ({ id, nodes }: axe.Result) =>
      nodes.map(
        (node) =>
          `${scheme ? `in ${scheme}: ` : ''}${id}: ${node.target.join(' ')} — ${node.failureSummary}`,
      )
    found.push(...(await findViolations(page)).flatMap(describe))
  }
  expect(found).toEqual([])
}
