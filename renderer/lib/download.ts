const REVOKE_AFTER = 60_000

function click(href: string, name: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
}

/** Downloads a URL of this origin; the response supplies the file name. */
export const downloadFrom = (path: string): void => click(path, '')

/** Saves a blob of this window as a file. */
export function downloadBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  click(address, name)
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER)
}

/** Saves a text of this window as a file. */
export const downloadText = (name: string, text: string, type: string): void =>
  downloadBlob(name, new Blob([text], { type: `${type};charset=utf-8` }))

const UNSAFE = /[\p{Cc}<>:"/\\|?*]+/gu
const LONGEST = 80

/** Returns a file name derived from a title that is valid on every file system. */
export function toFileName(title: string, ending: string): string {
  const name = title
    .replace(UNSAFE, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST)
    .replace(/[. ]+$/, '')
  return `${name || 'chat'}.${ending}`
}
