import { translate } from './i18n.ts'

/** Browsers leave it out on pages whose way to them others could read. */
const lent = (): Clipboard | undefined => (navigator as { clipboard?: Clipboard }).clipboard

/** Why nothing was copied, and what to do. */
export const whyNotCopied = (): string =>
  translate(lent() ? 'chat.copyFailed' : 'common.clipboardUntrusted')

function need(): Clipboard {
  const clipboard = lent()
  if (!clipboard) throw new Error(translate('common.clipboardUntrusted'))
  return clipboard
}

/** Copies a text; fails with a sentence where the browser does not lend its clipboard. */
export const copyText = async (text: string): Promise<void> => need().writeText(text)

export const copyItems = async (items: ClipboardItem[]): Promise<void> => need().write(items)

export const readCopied = async (): Promise<string> => need().readText()
