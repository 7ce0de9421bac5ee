import type { Page } from '@playwright/test'
import { settled } from './find-faults.ts'

/** Minimum size of a touch target, as in the guidelines of both phone vendors. */
const LEAST = 44

/**
 * Returns the controls of the page that are too small for a thumb. The measured element is the one
 * that receives the press: the label around a checkbox, or the row a link covers. Links within
 * running text may be as high as the text.
 */
export async function findSmallTargets(page: Page): Promise<string[]> {
  await settled(page)
  return page.evaluate((least) => {
    const CONTROLS =
      'a[href], button, input:not([type=hidden]):not([type=file]), select, textarea, summary, [role=menuitem], [role=option], [role=tab], [role=switch]'
    const isSeen = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect()
      const { clip, pointerEvents } = getComputedStyle(element)
      return (
        width > 1 &&
        height > 1 &&
        !clip.startsWith('rect(0') &&
        pointerEvents !== 'none' &&
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      )
    }
    const isInText = (element: Element): boolean => {
      const text = element.closest('p, li, dd')
      return (
        getComputedStyle(element).display.startsWith('inline') &&
        element.matches('a') &&
        text !== null &&
        (text.textContent ?? '').trim() !== (element.textContent ?? '').trim()
      )
    }
    const boxOf = (element: HTMLElement): { width: number; height: number } => {
      const boxes = [element, element.closest('label')]
        .filter((each) => each !== null)
        .map((each) => each.getBoundingClientRect())
      for (const pseudo of ['::before', '::after']) {
        const { position, content, width, height } = getComputedStyle(element, pseudo)
        if (position === 'absolute' && content !== 'none')
          boxes.push(new DOMRect(0, 0, Number.parseFloat(width), Number.parseFloat(height)))
      }
      return {
        width: Math.max(...boxes.map((box) => box.width)),
        height: Math.max(...boxes.map((box) => box.height)),
      }
    }
    const describe = (element: HTMLElement): string => {
      const name =
        element.getAttribute('aria-label') ?? (element.textContent.trim() || element.outerHTML)
      return `${element.tagName.toLowerCase()} ${name.slice(0, 50)}`
    }
    return [...document.querySelectorAll<HTMLElement>(CONTROLS)]
      .filter((element) => isSeen(element) && !isInText(element))
      .flatMap((element) => {
        const { width, height } = boxOf(element)
        return width < least - 0.5 || height < least - 0.5
          ? [`${describe(element)}: ${Math.round(width)} × ${Math.round(height)}`]
          : []
      })
  }, LEAST)
}

/**
 * Returns the elements of the page that would have to be scrolled sideways, except for code and
 * wide tables.
 */
export async function findSidewaysScrolling(page: Page): Promise<string[]> {
  await settled(page)
  return page.evaluate(() => {
    const MAY_SCROLL = 'pre, .cm-scroller, [data-wide], [data-wide] *'
    return [document.documentElement, ...document.querySelectorAll('body *')]
      .filter((element) => {
        const { overflowX, display } = getComputedStyle(element)
        return (
          element.scrollWidth - element.clientWidth > 1 &&
          (element === document.documentElement ||
            overflowX === 'auto' ||
            overflowX === 'scroll') &&
          display !== 'inline' &&
          !element.matches(MAY_SCROLL)
        )
      })
      .map(
        (element) =>
          `${element.outerHTML.slice(0, 120)} (${element.scrollWidth} in ${element.clientWidth})`,
      )
  })
}
