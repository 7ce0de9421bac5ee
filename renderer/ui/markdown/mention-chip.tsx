import { createContext, type ReactNode, useContext } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { channelPath } from '../../lib/router.ts'
import './mention-chip.css'

/**
 * Id of the reading user, whose mentions are highlighted. Null where mentions are not supported.
 */
export const MentionContext = createContext<{ readonly userId: string } | null>(null)

/** Name of a mentioned user, model or channel. */
export function MentionChip({
  kind,
  id,
  children,
}: {
  kind?: unknown
  id?: unknown
  children?: ReactNode
}) {
  const reader = useContext(MentionContext)
  if (kind === '#C' && typeof id === 'string' && reader) {
    return (
      <a href={channelPath(id)} onClick={handleLink} className="mention" translate="no">
        <bdi>{children}</bdi>
      </a>
    )
  }
  const isOwn = kind === '@U' && id === reader?.userId
  return (
    <bdi className={classNames('mention', isOwn && 'mention-own')} translate="no">
      {children}
    </bdi>
  )
}
