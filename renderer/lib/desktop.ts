import type { DesktopBridge } from '#desktop'

declare global {
  interface Window {
    readonly desktop?: DesktopBridge
  }
}

/** The bridge to the desktop app; undefined in a plain browser. */
export const desktop: DesktopBridge | undefined =
  typeof window === 'undefined' ? undefined : window.desktop
