type Box = HTMLInputElement | HTMLTextAreaElement

const TEXT_TYPES: readonly string[] = ['text', 'password', 'email', 'url', 'number', 'tel', 'date']

/** A box whose text somebody would miss: no search, and nothing that is kept elsewhere. */
const isBox = (target: EventTarget | null): target is Box =>
  (target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && TEXT_TYPES.includes(target.type))) &&
  target.getAttribute('role') !== 'combobox' &&
  target.closest('[data-keeps-text], [role="search"], search') === null

/** What somebody typed into the boxes of a part of the page and has not saved. */
export class TypedText {
  readonly #before = new Map<Box, string>()

  /** Hears that a box got the focus: what stands in it is what it began with. */
  begin(target: EventTarget | null): void {
    if (isBox(target) && !this.#before.has(target)) this.#before.set(target, target.value)
  }

  /** Hears that a form was sent: what stands in its boxes is no longer only typed. */
  settle(form: EventTarget | null): void {
    for (const box of this.#before.keys()) {
      if (box.form === form) this.#before.delete(box)
    }
    const { activeElement } = document
    if (activeElement instanceof Element && this.#isIn(activeElement, form))
      this.begin(activeElement)
  }

  /** Whether closing now would lose something. */
  isUnsaved(): boolean {
    return [...this.#before].some(
      ([box, before]) => box.isConnected && !box.disabled && box.value !== before,
    )
  }

  #isIn(element: Element, form: EventTarget | null): boolean {
    return isBox(element) && element.form === form
  }
}
