export const canMark = typeof CSS !== 'undefined' && 'highlights' in CSS

/** Returns the container of the rendered messages of the open chat. */
export const drawnMessages = (): HTMLElement | null => document.getElementById('messages')

export const findDrawn = (id: string): Element | null =>
  drawnMessages()?.querySelector(`[data-message-id="${CSS.escape(id)}"]`) ?? null

/**
 * Calls `mark` now and whenever messages are rendered, grow or collapse; returns the function that
 * stops it.
 */
export function followMessages(mark: () => void): () => void {
  const view = drawnMessages()
  if (!view) return () => undefined
  let frame = 0
  const ask = (): void => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(mark)
  }
  ask()
  const observer = new MutationObserver(ask)
  observer.observe(view, { childList: true, subtree: true })
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
  }
}
