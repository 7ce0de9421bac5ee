import { SmilePlus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Popover } from '../../ui/floating/popover.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { Tooltip } from '../../ui/floating/tooltip.tsx'
import { toggleReaction } from './change-message.ts'
import './emoji/sign.css'
import { useRoom } from './room-view.ts'
import type { ShownMessage } from './shown-message.ts'
import { tellFailure } from '../../ui/floating/tell-failure.ts'
import { formatLocale } from '../../lib/i18n.ts'
import { lazyPart } from '../../lib/lazy-part.ts'

const EmojiPicker = lazyPart(() => import('./emoji/emoji-picker.tsx'), 'EmojiPicker')

const NAMES_SHOWN = 12

/** Returns the emoji, or its name in colons if another client stored a name. */
export const toSign = (name: string): string => (/^[\w+-]+$/.test(name) ? `:${name}:` : name)

interface EmojiButtonProps {
  readonly label: string
  readonly onChoose: (emoji: string) => void
  readonly size?: 'small' | 'medium'
  readonly side?: 'top' | 'bottom'
  readonly className?: string
  readonly onOpenChange?: (open: boolean) => void
}

/** Button that opens the emoji picker. */
export function EmojiButton({
  label,
  onChoose,
  size,
  side = 'top',
  className,
  onOpenChange,
}: EmojiButtonProps) {
  const [open, setOpen] = useState(false)
  const change = (next: boolean): void => {
    setOpen(next)
    onOpenChange?.(next)
  }
  return (
    <Popover
      open={open}
      onOpenChange={change}
      label={label}
      side={side}
      align="end"
      isSheet
      keepsKeyboardAway
      className="w-80 overflow-hidden!"
      trigger={
        <IconButton
          size={size}
          label={label}
          side="top"
          icon={<SmilePlus />}
          className={className}
        />
      }
    >
      <Suspense fallback={<Spinner className="m-8" />}>
        <EmojiPicker
          onChoose={(emoji) => {
            change(false)
            onChoose(emoji)
          }}
        />
      </Suspense>
    </Popover>
  )
}

/** Reactions to a message; each lists its users, and a press adds or removes the reader's own. */
export function Reactions({ message, mayReact }: { message: ShownMessage; mayReact: boolean }) {
  const { t } = useTranslation()
  const { room, me } = useRoom()
  const toggle = (sign: string): void =>
    void toggleReaction(room, message, sign, me).catch(tellFailure('channels.failed.reaction'))
  if (message.reactions.length === 0) return null
  return (
    <ul
      aria-label={t('channels.reactions.list')}
      className="mt-1 flex flex-wrap items-center gap-1"
    >
      {message.reactions.map(({ name, users, count }) => {
        const isOwn = users.some(({ id }) => id === me.id)
        const names = users
          .slice(0, NAMES_SHOWN)
          .map((user) => (user.id === me.id ? t('channels.you') : user.name))
        const rest = count - names.length
        const who = new Intl.ListFormat(formatLocale(), { type: 'conjunction' }).format(
          rest > 0 ? [...names, t('channels.reactions.others', { count: rest })] : names,
        )
        return (
          <li key={name}>
            <Tooltip text={t('channels.reactions.who', { sign: toSign(name), who })} side="top">
              <button
                type="button"
                aria-pressed={isOwn}
                aria-disabled={!mayReact}
                aria-label={t('channels.reactions.label', { sign: toSign(name), count, who })}
                onClick={() => mayReact && toggle(name)}
                className={classNames(
                  'inline-flex h-6.5 items-center gap-1.5 rounded-full border px-2 text-small tabular-nums transition-colors duration-(--motion-in) pointer-coarse:min-h-9',
                  isOwn
                    ? 'border-accent bg-accent-soft font-medium text-accent-strong dark:text-accent'
                    : 'border-line bg-sunken text-muted enabled:hover:border-edge',
                )}
              >
                <span
                  aria-hidden="true"
                  className="emoji-sign max-w-32 truncate text-written leading-none"
                >
                  {toSign(name)}
                </span>
                {count}
              </button>
            </Tooltip>
          </li>
        )
      })}
      {mayReact && (
        <li>
          <EmojiButton
            label={t('channels.actions.react')}
            onChoose={toggle}
            className="size-6.5! rounded-full! [&_svg]:size-3.5!"
          />
        </li>
      )}
    </ul>
  )
}
