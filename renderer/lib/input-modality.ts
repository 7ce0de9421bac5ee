/** Keys that navigate or act; letters typed into a box do not indicate the input modality. */
const MOVING = /^(Tab|Enter|Escape| |Arrow.*|Home|End|Page.*|F\d+|Delete|ContextMenu)$/

/** True if the last input was by mouse, finger or pen rather than keyboard. */
export const isByPointer = (): boolean => document.documentElement.dataset.input === 'pointer'

/**
 * Tracks in a data attribute, for styles, whether the user points or uses the keyboard: a focus
 * that code moves after a click should show neither ring nor tooltip.
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
