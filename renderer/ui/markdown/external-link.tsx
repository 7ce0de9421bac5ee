import type { MouseEvent, ReactNode } from 'react'
import type { DesktopBridge } from '#desktop'
import { linkPlace, toSafeLink } from './safe-link.ts'

const desktop = (): DesktopBridge | undefined => (window as { desktop?: DesktopBridge }).desktop

function openOutside(event: MouseEvent<HTMLAnchorElement>): void {
  const bridge = desktop()
  if (!bridge) return
  event.preventDefault()
  void bridge.request('shell.openExternal', { url: event.currentTarget.href })
}

/** A link out of the app. The desktop asks before it opens one; addresses of other kinds stay plain text. */
export function ExternalLink({ href, children, className }: { href: unknown; children: ReactNode; className?: string }) {
  const url = toSafeLink(href)
  if (!url) return <span className={className}>{children}</span>
  return (
    <a
      href={url.href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={linkPlace(url)}
      className={className}
      onClick={openOutside}
    >
      {children}
    </a>
  )
}
