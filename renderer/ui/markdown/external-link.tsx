import type { MouseEvent, ReactNode } from 'react'
import { desktop } from '../../lib/desktop.ts'
import { linkPlace, toSafeLink } from './safe-link.ts'

function openOutside(event: MouseEvent<HTMLAnchorElement>): void {
  if (!desktop) return
  event.preventDefault()
  void desktop.request('shell.openExternal', { url: event.currentTarget.href })
}

/**
 * A link out of the app. The desktop app asks before it opens one; URLs with other schemes stay
 * plain text.
 */
export function ExternalLink({
  href,
  children,
  className,
}: {
  href: unknown
  children: ReactNode
  className?: string
}) {
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
