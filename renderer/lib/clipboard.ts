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

/** Marks a text as a person would and has the browser copy what is marked. */
function copyBySelection(text: string): boolean {
  const held = document.activeElement
  const box = document.createElement('textarea')
  box.value = text
  box.readOnly = true
  box.className = 'sr-only'
  // A dialog keeps the focus within itself.
  const place = held?.closest('[role=dialog]') ?? document.body
  place.append(box)
  box.select()
  const isCopied = document.execCommand('copy')
  box.remove()
  if (held instanceof HTMLElement) held.focus({ preventScroll: true })
  return isCopied
}

/**
 * Copies a text, where the browser does not lend its clipboard by a selection; fails with a sentence
 * where that is not allowed either.
 */
export async function copyText(text: string): Promise<void> {
  const clipboard = lent()
  if (clipboard) await clipboard.writeText(text)
  else if (!copyBySelection(text)) need()
}

/** Copies what is made when it is known that there is a clipboard; of this there is no other way. */
export const copyItems = async (make: () => ClipboardItem[]): Promise<void> => need().write(make())

/** Whether a page may ask for what was copied; by keys people put it in anywhere. */
export const canReadCopied = (): boolean => lent() !== undefined

export const readCopied = async (): Promise<string> => need().readText()
