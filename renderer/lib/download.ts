const REVOKE_AFTER = 60_000

function click(href: string, name: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
}

/** Saves what the gateway sends at an address of this origin; its answer names the file. */
export const downloadFrom = (path: string): void => click(path, '')

/** Saves bytes this window holds. */
export function downloadBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  click(address, name)
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER)
}

/** Saves a text that was made in this window. */
export const downloadText = (name: string, text: string, type: string): void =>
  downloadBlob(name, new Blob([text], { type: `${type};charset=utf-8` }))

const UNSAFE = /[\p{Cc}<>:"/\\|?*]+/gu
const LONGEST = 80

/** A name every file system takes, made of a title. */
export function toFileName(title: string, ending: string): string {
  const name = title
    .replace(UNSAFE, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST)
    .replace(/[. ]+$/, '')
  return `${name || 'chat'}.${ending}`
}
