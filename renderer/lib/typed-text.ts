type Box = HTMLInputElement | HTMLTextAreaElement

const TEXT_TYPES: readonly string[] = ['text', 'password', 'email', 'url', 'number', 'tel', 'date']

/** True for a box with text worth keeping: no search box, and none that is stored elsewhere. */
const isBox = (target: EventTarget | null): target is Box =>
  (target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && TEXT_TYPES.includes(target.type))) &&
  target.getAttribute('role') !== 'combobox' &&
  target.closest('[data-keeps-text], [role="search"], search') === null

/** Tracks unsaved text in the boxes of a part of the page. */
export class TypedText {
  readonly #before = new Map<Box, string>()

  /** Records the initial text of a box that received the focus. */
  begin(target: EventTarget | null): void {
    if (isBox(target) && !this.#before.has(target)) this.#before.set(target, target.value)
  }

  /** Marks the boxes of a submitted form as saved. */
  settle(form: EventTarget | null): void {
    for (const box of this.#before.keys()) {
      if (box.form === form) this.#before.delete(box)
    }
    const { activeElement } = document
    if (activeElement instanceof Element && this.#isIn(activeElement, form))
      this.begin(activeElement)
  }

  /** True if closing now would lose text. */
  isUnsaved(): boolean {
    return [...this.#before].some(
      ([box, before]) => box.isConnected && !box.disabled && box.value !== before,
    )
  }

  #isIn(element: Element, form: EventTarget | null): boolean {
    return isBox(element) && element.form === form
  }
}
