import { Bot, Webhook } from 'lucide-react'
import { useState } from 'react'
import { avatarColour, avatarHue, avatarInitials } from '#contract/avatars.ts'
import type { ChannelAuthor } from '#contract/channel-messages.ts'
import { withBase } from '../../lib/base-path.ts'
import { classNames } from '../../lib/class-names.ts'

const SIZES = {
  small: 'size-5 text-tiny rounded-small',
  medium: 'size-6 text-tiny rounded-small',
  large: 'size-9 text-small rounded-medium',
}

interface AvatarProps {
  readonly name: string
  /** Id from which the colour is derived. */
  readonly id: string
  readonly picture?: string | null
  readonly kind?: 'person' | 'model' | 'webhook'
  readonly size?: keyof typeof SIZES
}

/**
 * Only pictures of this gateway are loaded: others would reveal the reader to a third party. The
 * built-in one is less informative than a name.
 */
const isOwnPicture = (picture: string | null | undefined): picture is string =>
  typeof picture === 'string' && /^(\/api\/|data:image\/(png|jpeg|gif|webp))/.test(picture)

/** Placeholder for a missing or loading picture. */
function Sign({ name, kind }: { name: string; kind: NonNullable<AvatarProps['kind']> }) {
  if (kind === 'person') return avatarInitials(name) || '?'
  return kind === 'model' ? <Bot /> : <Webhook />
}

/** Picture of an author. Decorative: the name is always shown beside it. */
export function Avatar({ name, id, picture, kind = 'person', size = 'large' }: AvatarProps) {
  const [state, setState] = useState<'awaited' | 'shown' | 'broken'>('awaited')
  const hasPicture = isOwnPicture(picture) && state !== 'broken'
  return (
    <span
      aria-hidden="true"
      style={
        kind === 'person'
          ? { background: avatarColour(avatarHue(id)), color: 'var(--paper)' }
          : undefined
      }
      className={classNames(
        'relative inline-grid shrink-0 place-items-center overflow-hidden font-semibold select-none [&>svg]:size-[55%]',
        SIZES[size],
        kind !== 'person' && 'bg-hover text-muted',
      )}
    >
      {!(hasPicture && state === 'shown') && <Sign name={name} kind={kind} />}
      {hasPicture && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only listens for the result of loading
        <img
          src={withBase(picture)}
          alt=""
          loading="lazy"
          className="absolute inset-0 size-full object-cover"
          onLoad={() => setState('shown')}
          onError={() => setState('broken')}
        />
      )}
    </span>
  )
}

/** Returns the gateway's URL of a user's picture. */
export const personPicture = (id: string): string =>
  `/api/v1/users/${encodeURIComponent(id)}/profile/image`

/** Returns the picture of a user or a webhook; null for a deleted one. */
export const pictureOf = (user: ChannelAuthor): string | null => user?.profile_image_url || null
