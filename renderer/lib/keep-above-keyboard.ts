/**
 * Keeps the page as high as the visual viewport. Some browsers overlay the on-screen keyboard
 * instead of resizing the page, which would cover the message box. A page zoomed by pinching is not
 * changed.
 */
export function keepAboveKeyboard(): () => void {
  const seen = window.visualViewport
  if (!seen) return () => undefined
  const root = document.documentElement
  const apply = (): void => {
    const isCovered = seen.scale === 1 && window.innerHeight - seen.height > 1
    if (isCovered) {
      root.style.setProperty('--seen-height', `${seen.height}px`)
      window.scrollTo(0, 0)
    } else root.style.removeProperty('--seen-height')
  }
  seen.addEventListener('resize', apply)
  return () => seen.removeEventListener('resize', apply)
}
