/**
 * Keeps the page as high as what can be seen of it. Some browsers lay the keyboard of the screen
 * over the page instead of making room for it; the message box would be below. A page somebody
 * enlarged by two fingers stays as it is.
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
