/** Key under which index.html finds out that this browser shows the frame of the window first. */
const STORAGE_KEY = 'frame'

/** Keeps whether the next start shows the frame: not for visitors who have to sign in first. */
export function keepStartFrame(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(STORAGE_KEY, 'shown')
    else localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Without storage the next start shows the logo.
  }
}

/** Removes the frame once the first screen has taken its place. */
export function dropStartFrame(): void {
  document.getElementById('start-frame')?.remove()
}
