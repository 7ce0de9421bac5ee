import { createContext, type ReactNode, useContext } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { channelPath } from '../../lib/router.ts'
import './mention-chip.css'

/** Who reads; a mention of them stands out. Null where nobody can be mentioned. */
export const MentionContext = createContext<{ readonly userId: string } | null>(null)

/** The name of a person, a model or a channel somebody mentioned. */
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
