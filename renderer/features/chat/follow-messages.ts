export const canMark = typeof CSS !== 'undefined' && 'highlights' in CSS

/** The messages of the open chat, as far as they are drawn. */
export const drawnMessages = (): HTMLElement | null => document.getElementById('messages')

export const findDrawn = (id: string): Element | null =>
  drawnMessages()?.querySelector(`[data-message-id="${CSS.escape(id)}"]`) ?? null

/** Calls `mark` now and whenever messages are drawn, grow or fold; answers with what ends that. */
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
