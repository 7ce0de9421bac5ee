import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Waits until nothing in sight fades or slides any more; in the middle of it colours are not the ones a person reads. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every(({ effect, playState }) => {
      const target = effect instanceof KeyframeEffect ? effect.target : null
      const isEndless = effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY
      return playState !== 'running' || isEndless || target?.checkVisibility({ contentVisibilityAuto: true }) !== true
    }),
  )
}

/** Fails with every accessibility fault on the page as it is now. */
export async function expectAccessible(page: Page): Promise<void> {
  await settled(page)
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(RULES)
    // Menus and lists that pop up stand outside of the landmarks on purpose: they belong to the control that opened them.
    .disableRules(['region'])
    // What stands in frames of other origins comes together in another page, which takes twice as long as the rest.
    .setLegacyMode(page.frames().length === 1)
    .analyze()
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} — ${node.failureSummary}`))
  expect(found).toEqual([])
}
