import { translate } from './i18n.ts'

/** Browsers omit it in insecure contexts. */
const lent = (): Clipboard | undefined => (navigator as { clipboard?: Clipboard }).clipboard

/** Returns the reason nothing was copied, with a remedy. */
export const whyNotCopied = (): string =>
  translate(lent() ? 'chat.copyFailed' : 'common.clipboardUntrusted')

function need(): Clipboard {
  const clipboard = lent()
  if (!clipboard) throw new Error(translate('common.clipboardUntrusted'))
  return clipboard
}

/** Selects a text as a user would and has the browser copy the selection. */
function copyBySelection(text: string): boolean {
  const held = document.activeElement
  const box = document.createElement('textarea')
  box.value = text
  box.readOnly = true
  box.className = 'sr-only'
  // A dialog traps the focus, so the box must be inside it.
  const place = held?.closest('[role=dialog]') ?? document.body
  place.append(box)
  box.select()
  const isCopied = document.execCommand('copy')
  box.remove()
  if (held instanceof HTMLElement) held.focus({ preventScroll: true })
  return isCopied
}

/**
 * Copies a text; uses a selection if the browser provides no clipboard. Throws an error with a
 * readable message if that is not allowed either.
 */
export async function copyText(text: string): Promise<void> {
  const clipboard = lent()
  if (clipboard) await clipboard.writeText(text)
  else if (!copyBySelection(text)) need()
}

/**
 * Copies the items, which are created only once a clipboard is known to exist; there is no
 * fallback.
 */
export const copyItems = async (make: () => ClipboardItem[]): Promise<void> => need().write(make())

/** Reports whether a page may read the clipboard; pasting with the keyboard always works. */
export const canReadCopied = (): boolean => lent() !== undefined

export const readCopied = async (): Promise<string> => need().readText()
