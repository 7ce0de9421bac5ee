/** Keys that move or act; letters typed into a box say nothing about how somebody gets around. */
const MOVING = /^(Tab|Enter|Escape| |Arrow.*|Home|End|Page.*|F\d+|Delete|ContextMenu)$/

/** What was used last: the mouse, a finger or a pen, or the keyboard. */
export const isByPointer = (): boolean => document.documentElement.dataset.input === 'pointer'

/**
 * Keeps in mind, where styles see it, whether somebody points or uses keys: a focus that the
 * program moves after a click is no reason for a ring or a tooltip.
 */
export function startFollowingInput(): () => void {
  const { dataset } = document.documentElement
  const handlePointer = (): void => {
    dataset['input'] = 'pointer'
  }
  const handleKey = (event: KeyboardEvent): void => {
    if (MOVING.test(event.key) || event.ctrlKey || event.metaKey || event.altKey)
      dataset['input'] = 'keyboard'
  }
  window.addEventListener('pointerdown', handlePointer, true)
  window.addEventListener('keydown', handleKey, true)
  return () => {
    window.removeEventListener('pointerdown', handlePointer, true)
    window.removeEventListener('keydown', handleKey, true)
  }
}
