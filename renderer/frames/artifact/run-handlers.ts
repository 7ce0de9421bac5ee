import { HANDLER } from './prepare-page.ts'

type Handlers = Record<string, unknown>

/**
 * Handler attributes observed for changes after the page was written; others are only read from
 * added elements.
 */
const OFTEN_SET = ['click', 'change', 'input', 'submit', 'keydown', 'keyup', 'load'].map(
  (name) => `on${name}`,
)

function setHandler(element: Element, name: string, words: string): void {
  try {
    // oxlint-disable-next-line no-new-func, no-implied-eval -- the user opened the page; this frame isolates it
    ;(element as unknown as Handlers)[`on${name}`] = new Function('event', words)
  } catch (thrown) {
    reportError(thrown)
  }
}

/** Creates handlers from the inline handler attributes of an element. */
function makeHandlers(element: Element): void {
  for (const { name, value } of Array.from(element.attributes)) {
    const isAside = name.startsWith(HANDLER)
    if (!isAside && !/^on[a-z]+$/i.test(name)) continue
    element.removeAttribute(name)
    setHandler(element, name.slice(isAside ? HANDLER.length : 2).toLowerCase(), value)
  }
}

function makeAllHandlers(node: Node): void {
  if (!(node instanceof Element)) return
  makeHandlers(node)
  for (const element of node.querySelectorAll('*')) makeHandlers(element)
}

/** Enables inline handlers, both those of the page and those added later. */
export function runHandlers(): void {
  makeAllHandlers(document.documentElement)
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'attributes') makeHandlers(target as Element)
      else for (const node of addedNodes) makeAllHandlers(node)
    }
  }).observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: OFTEN_SET,
  })
}
